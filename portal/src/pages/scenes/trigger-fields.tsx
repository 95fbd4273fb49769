/** The fields of one trigger: a button and its event, or a time. */
import { Checkbox, Group, NativeSelect, TextInput } from "@mantine/core";
import type { SceneTrigger } from "@porchlight/shared/api";
import { cut } from "../../kit/text/names.ts";
import { type ButtonOfHub, MOST_OFFSET } from "./trigger-draft.ts";
import { DAY_NAMES, pressWords } from "./trigger-words.ts";
import classes from "./triggers.module.css";

type Of<K extends SceneTrigger["kind"]> = Extract<SceneTrigger, { kind: K }>;

interface TriggerFieldsProps {
  readonly trigger: SceneTrigger;
  readonly buttons: readonly ButtonOfHub[];
  readonly onChange: (trigger: SceneTrigger) => void;
}

export function TriggerFields({ trigger, buttons, onChange }: TriggerFieldsProps) {
  switch (trigger.kind) {
    case "event":
      return <ButtonFields trigger={trigger} buttons={buttons} onChange={onChange} />;
    case "time":
      return (
        <>
          <TextInput
            type="time"
            label="At"
            required
            className={classes.short}
            value={trigger.at}
            onChange={(event) => onChange({ ...trigger, at: event.currentTarget.value })}
          />
          <Days trigger={trigger} onChange={onChange} />
        </>
      );
    case "sun":
      return (
        <>
          <SunFields trigger={trigger} onChange={onChange} />
          <Days trigger={trigger} onChange={onChange} />
        </>
      );
  }
}

interface FieldsProps<T> {
  readonly trigger: T;
  readonly onChange: (trigger: SceneTrigger) => void;
}

function ButtonFields({ trigger, buttons, onChange }: FieldsProps<Of<"event">> & Pick<TriggerFieldsProps, "buttons">) {
  const isOf = ({ deviceId, service }: ButtonOfHub) =>
    deviceId === trigger.deviceId && sameButton(service, trigger.service);
  const at = buttons.findIndex(isOf);
  const values = buttons[at]?.values ?? [];
  const known = values.includes(trigger.value) ? values : [trigger.value, ...values];
  return (
    <>
      <NativeSelect
        label="Button"
        data={[
          ...(at === -1 ? [{ value: "-1", label: "a button that is not there", disabled: true }] : []),
          ...buttons.map(({ name }, place) => ({ value: String(place), label: cut(name, 60) })),
        ]}
        value={String(at)}
        onChange={(event) => {
          const next = buttons[Number(event.currentTarget.value)];
          if (!next) return;
          const value = next.values.includes(trigger.value) ? trigger.value : (next.values[0] ?? trigger.value);
          onChange({ ...trigger, deviceId: next.deviceId, service: next.service, value });
        }}
      />
      <NativeSelect
        label="When it"
        data={known.map((value) => ({ value, label: cut(pressWords(value), 60) }))}
        value={trigger.value}
        onChange={(event) => onChange({ ...trigger, value: event.currentTarget.value })}
      />
    </>
  );
}

/** A selector without an index stands for the only button of the device. */
function sameButton(service: string, stored: string): boolean {
  return service === stored || (stored === "Button.event" && service.startsWith("Button:"));
}

const SIDES = ["before", "at", "after"] as const;
const FIRST_OFFSET = 30;

function SunFields({ trigger, onChange }: FieldsProps<Of<"sun">>) {
  const { offsetMinutes = 0, ...rest } = trigger;
  const side = offsetMinutes < 0 ? "before" : offsetMinutes > 0 ? "after" : "at";
  const set = (minutes: number, where: (typeof SIDES)[number]) => {
    const offset = where === "at" ? 0 : where === "before" ? -minutes : minutes;
    onChange(offset === 0 ? rest : { ...rest, offsetMinutes: offset });
  };
  return (
    <>
      {side !== "at" && (
        <TextInput
          type="number"
          label="Minutes"
          className={classes.short}
          min={1}
          max={MOST_OFFSET}
          value={Math.abs(offsetMinutes)}
          onChange={(event) => {
            const minutes = Math.round(event.currentTarget.valueAsNumber);
            if (minutes >= 1) set(minutes, side);
          }}
        />
      )}
      <NativeSelect
        label="Before or after"
        data={[...SIDES]}
        value={side}
        onChange={(event) => {
          const where = SIDES.find((each) => each === event.currentTarget.value) ?? "at";
          set(Math.abs(offsetMinutes) || FIRST_OFFSET, where);
        }}
      />
      <NativeSelect
        label="Sunrise or sunset"
        data={["sunrise", "sunset"]}
        value={trigger.event}
        onChange={(event) =>
          onChange({ ...trigger, event: event.currentTarget.value === "sunrise" ? "sunrise" : "sunset" })
        }
      />
    </>
  );
}

/** All seven days are stored as no selection, which means every day. */
function Days({ trigger, onChange }: FieldsProps<Of<"time"> | Of<"sun">>) {
  const chosen = DAY_NAMES.map(([day]) => day).filter((day) => trigger.days?.includes(day) ?? true);
  const set = (day: (typeof chosen)[number], isIn: boolean) => {
    const next = DAY_NAMES.map(([each]) => each).filter((each) => (each === day ? isIn : chosen.includes(each)));
    const { days: _days, ...rest } = trigger;
    onChange(next.length === DAY_NAMES.length ? rest : { ...rest, days: next });
  };
  return (
    <fieldset className={classes.days}>
      <legend>On</legend>
      <Group gap="xs" className={classes.week}>
        {DAY_NAMES.map(([day, short, name]) => (
          <Checkbox
            key={day}
            label={short}
            aria-label={name}
            checked={chosen.includes(day)}
            onChange={(event) => set(day, event.currentTarget.checked)}
          />
        ))}
      </Group>
    </fieldset>
  );
}
