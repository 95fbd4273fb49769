/** The triggers by which the hub calls a scene; or the reason why the scene cannot have any. */
import { ActionIcon, Button, Checkbox, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import type { Environment, SceneItem, SceneTrigger } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { clientsQuery } from "../../data/queries.ts";
import { Icon } from "../../kit/display/icon.tsx";
import { Section } from "../../kit/display/page.tsx";
import { cut, nameOf } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";
import { HomeFacts } from "./home-facts.tsx";
import { hubOf, type SceneHome } from "./scene-home.ts";
import classes from "./triggers.module.css";
import {
  type ButtonOfHub,
  buttonsOf,
  DAY_NAMES,
  MOST_OFFSET,
  MOST_TRIGGERS,
  newTrigger,
  pressWords,
  type TriggerKind,
  triggerFault,
  triggerWords,
  whyNoTriggers,
} from "./triggers.ts";

interface TriggersEditorProps {
  readonly environment: Environment;
  readonly home: SceneHome;
  readonly items: readonly SceneItem[];
  readonly triggers: readonly SceneTrigger[];
  readonly onChange: (triggers: readonly SceneTrigger[]) => void;
}

const KINDS: readonly (readonly [kind: TriggerKind, label: string])[] = [
  ["event", "Add button"],
  ["time", "Add time"],
  ["sun", "Add sunrise or sunset"],
];

export function TriggersEditor({ environment, home, items, triggers, onChange }: TriggersEditorProps) {
  const hub = hubOf(home, items);
  const buttons = hub.kind === "one" ? buttonsOf(home, hub.hubId) : [];
  const hubs = useQuery(clientsQuery(useApi(), environment.id));
  const why = whyNoTriggers(hub, hubs.data ?? []);
  const isFull = triggers.length >= MOST_TRIGGERS;
  const name = (id: string) => {
    const device = home.forest.devices.get(id);
    return device && nameOf(device);
  };
  return (
    <Section title="Triggers" lead="When the hub calls the scene by itself, also without the internet.">
      {why && (
        <Text size="sm" c={triggers.length > 0 ? "bad" : "dimmed"}>
          <bdi>{why.says}</bdi> {triggers.length > 0 && why.cure}
        </Text>
      )}
      {triggers.length > 0 && (
        <ul className={classes.triggers} aria-label="Triggers">
          {triggers.map((trigger, at) => {
            const words = cut(triggerWords(trigger, name), 100);
            const fault = triggerFault(trigger, environment);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a trigger, because two can be equal
              <li key={at}>
                <div className={classes.words}>
                  <bdi>{words}</bdi>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove trigger: ${words}`}
                    onClick={() => onChange(triggers.toSpliced(at, 1))}
                  >
                    <Icon name="close" />
                  </ActionIcon>
                </div>
                <div className={classes.fields}>
                  <TriggerFields {...{ trigger, buttons }} onChange={(next) => onChange(triggers.with(at, next))} />
                </div>
                {fault && (
                  <Text size="sm" c="bad">
                    {fault}
                  </Text>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {triggers.some(({ kind }) => kind !== "event") && (
        <HomeFacts environment={environment} needsLocation={triggers.some(({ kind }) => kind === "sun")} />
      )}
      {!why && !hubs.isPending && (
        <>
          <Group gap="xs">
            {KINDS.filter(([kind]) => kind !== "event" || buttons.length > 0).map(([kind, label]) => (
              <Button
                key={kind}
                size="xs"
                variant="default"
                disabled={isFull}
                onClick={() => onChange([...triggers, newTrigger(kind, buttons)])}
              >
                {label}
              </Button>
            ))}
          </Group>
          <Text size="sm" c="dimmed">
            {isFull && `A scene has at most ${MOST_TRIGGERS} triggers. `}
            {buttons.length === 0 && "No button is connected to the hub of this scene."}
          </Text>
        </>
      )}
    </Section>
  );
}

type Of<K extends SceneTrigger["kind"]> = Extract<SceneTrigger, { kind: K }>;

interface TriggerFieldsProps {
  readonly trigger: SceneTrigger;
  readonly buttons: readonly ButtonOfHub[];
  readonly onChange: (trigger: SceneTrigger) => void;
}

/** The fields of one trigger: a button and its event, or a time. */
function TriggerFields({ trigger, buttons, onChange }: TriggerFieldsProps) {
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
