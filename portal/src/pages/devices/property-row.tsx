/** One property: its control or value, the value's age or uncertainty, and expandable details. */
import { ActionIcon, Button, Group } from "@mantine/core";
import type { PropertyDescriptor } from "@porchlight/shared/api";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { ControlView } from "../../devices/control.tsx";
import { type Control, controlOf } from "../../devices/control-of.ts";
import { Failure, RequestLink } from "../../kit/display/failure.tsx";
import { Icon } from "../../kit/display/icon.tsx";
import { OutcomeWord } from "../../kit/display/outcome.tsx";
import { StateWord, useIsCurrent } from "../../kit/display/state.tsx";
import { ageOf, clockOf, timeOf, useNow } from "../../kit/text/age.tsx";
import { Hint } from "../../kit/text/hint.tsx";
import { useWanted } from "../../kit/text/use-wanted.ts";
import { outcomeWords, valueWords } from "../../kit/text/value-words.ts";
import { useWrites } from "../../live/context.tsx";
import type { Target } from "../../live/target.ts";
import { isContradicted } from "../../live/writes.ts";
import { type Property, useDevicePage, useProperty } from "./device-page-context.tsx";
import classes from "./property-row.module.css";
import { isFresh } from "./words.ts";

const loadChart = () => import("./property-history.tsx");
const loadWhy = () => import("./why-dialog.tsx");

interface PropertyRowProps {
  readonly target: Target;
  readonly descriptor: PropertyDescriptor;
  /** The property's display name. */
  readonly title: string;
  /** The name with its context, for screen readers: "Fan: Power". */
  readonly name: string;
}

export function PropertyRow({ target, descriptor, title, name }: PropertyRowProps) {
  const { device } = useDevicePage();
  const property = useProperty(target, descriptor);
  const [isOpen, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const { Part: WhyDialog, error: whyError } = useWanted(loadWhy, isAsking);
  const { Part: PropertyHistory, error } = useWanted(loadChart, isOpen);
  const detail = useId();
  const control = controlOf(target.service, descriptor, device.type === "virtual");
  return (
    <div className={classes.row}>
      <div className={classes.line}>
        <div className={classes.name}>
          <bdi>{title}</bdi>
        </div>
        <div className={classes.control}>
          <Body control={control} property={property} descriptor={descriptor} name={name} />
        </div>
        <div className={classes.state}>
          <ValueState
            property={property}
            isReadable={descriptor.access.some((each) => each !== "write")}
            words={(value) => valueWords(value, target.property, descriptor.unit)}
          />
        </div>
        <Group gap={0} wrap="nowrap">
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            fw={400}
            aria-haspopup="dialog"
            aria-label={`Why is ${name} as it is?`}
            onClick={() => setAsking(true)}
          >
            Why?
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-expanded={isOpen}
            aria-controls={detail}
            aria-label={`History of ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? "up" : "down"} />
          </ActionIcon>
        </Group>
      </div>
      {isAsking && WhyDialog && <WhyDialog target={target} title={title} onClose={() => setAsking(false)} />}
      {isAsking && whyError && <Failure error={whyError} putAway={() => setAsking(false)} />}
      <Refused property={property} words={(value) => valueWords(value, target.property, descriptor.unit)} />
      <div id={detail}>
        {isOpen && (
          <div className={classes.detail}>
            {PropertyHistory && <PropertyHistory target={target} descriptor={descriptor} name={name} />}
            {error && <Failure error={error} putAway={() => setOpen(false)} />}
          </div>
        )}
      </div>
    </div>
  );
}

interface BodyProps {
  readonly control: Control;
  readonly property: Property;
  readonly descriptor: PropertyDescriptor;
  readonly name: string;
}

function Body({ control, property, descriptor, name }: BodyProps) {
  const { value, known, isPending, ask } = property;
  const words = (each: unknown) => valueWords(each, descriptor.property, descriptor.unit);
  switch (control.kind) {
    case "reading":
      return (
        <bdi className={classes.reading} data-empty={value === undefined || undefined} title={words(value)}>
          {words(value)}
        </bdi>
      );
    case "occurrence":
      return (
        <Group gap="sm">
          <bdi className={classes.reading} data-empty={value === undefined || undefined}>
            {value === undefined ? "nothing yet" : words(value)}
          </bdi>
          {control.values.map((each) => (
            <Button key={String(each)} size="compact-sm" variant="default" onClick={() => ask(each)}>
              {words(each)}
            </Button>
          ))}
        </Group>
      );
    default:
      return (
        <ControlView
          control={control}
          label={name}
          value={value}
          known={known.value}
          isPending={isPending}
          unit={descriptor.unit}
          words={words}
          onAsk={(asked) => ask(asked)}
        />
      );
  }
}

/**
 * Shows how reliable a value is, in the same way for every property: requested but not reported, never reported, or older than the others.
 * @param words formats the value
 */
function ValueState({
  property,
  isReadable,
  words,
}: {
  readonly property: Property;
  /** Whether the device reports the property; some settings are write-only. */
  readonly isReadable: boolean;
  readonly words: (value: unknown) => string;
}) {
  const now = useNow();
  const isCurrent = useIsCurrent();
  const { heardAt } = useDevicePage();
  const { state, known, value, isPending } = property;
  if (isPending)
    return (
      <span className={classes.pending}>
        <bdi>
          {state.kind === "waiting"
            ? `${short(words(value))} waits for the hub until ${clockOf(state.command.expiresAt)}`
            : `setting to ${short(words(value))}`}
        </bdi>
        <br />
        <bdi>last known: {short(words(known.value))}</bdi>
      </span>
    );
  if (!isReadable)
    return (
      <Hint label="The device never reports this value. A write that nothing else confirms ends with the outcome “unknown: may have happened”.">
        <span>not reported by the device</span>
      </Hint>
    );
  if (known.source === "retained")
    return (
      <Hint label="The MQTT broker kept this value from an unknown time. The device has not reported it since.">
        <span>of unknown age</span>
      </Hint>
    );
  if (known.observedAt === undefined) return null;
  // The page states the age of its values once; only a value that is much older gets its own age.
  const ms = now - timeOf(known.observedAt);
  if (isFresh(ms) || timeOf(known.observedAt) + MUCH_OLDER > timeOf(heardAt ?? known.observedAt)) return null;
  return (
    <Hint label={`Observed ${known.observedAt}${known.modifiedAt ? `, changed ${known.modifiedAt}` : ""}.`}>
      <span>{isCurrent ? `${ageOf(ms)} ago` : `as of ${clockOf(known.observedAt)}`}</span>
    </Hint>
  );
}

/** Minimum age difference to the device's latest value that is shown, in ms. */
const MUCH_OLDER = 60_000;

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** How long the service keeps a change for an offline hub when the user chooses to wait, in seconds. */
const UNTIL_BACK = 3600;

/** Shows why a write was not confirmed, its outcome, and the next step. The control has returned to the reported value. */
function Refused({ property, words }: { readonly property: Property; readonly words: (value: unknown) => string }) {
  const writes = useWrites();
  const { answer } = useDevicePage();
  const { state, target, ask } = property;
  const inquiry = useMutation({ mutationFn: () => writes.inquire(target) });
  if (state.kind !== "refused") return null;
  const { refusal, asked, at } = state;
  const { name, detail, outcome, requestId, commandId } = refusal;
  // "Not sent" remains true after the device returns; "unreachable" does not.
  const isOver = outcome !== "unknown" && isContradicted(name, at, answer);
  const value = words(asked).slice(0, 80);
  return (
    <div className={classes.refused} data-outcome={outcome ?? "not_sent"} role={isOver ? "status" : "alert"}>
      <div>
        {outcome === "confirmed" ? <StateWord tone="good">carried out</StateWord> : <OutcomeWord outcome={outcome} />}
      </div>
      <div>
        {isOver ? (
          <bdi>
            {value} was requested at {new Date(at).toLocaleTimeString()}, when the device could not be reached. It can
            be reached now.
          </bdi>
        ) : (
          <bdi>
            {name}: {value} was asked for. {detail} {outcomeWords(refusal)}
          </bdi>
        )}
      </div>
      {inquiry.data && (inquiry.data.state === "sent" || inquiry.data.state === "queued") && (
        <div>The service does not know yet. The command is {inquiry.data.state}.</div>
      )}
      {inquiry.error && <Failure error={inquiry.error} />}
      <Group gap="xs">
        {outcome !== "rejected" && (
          <Button size="compact-sm" variant="default" onClick={() => ask(asked)}>
            Try again
          </Button>
        )}
        {name === "Hub Offline" && !isOver && (
          <Button size="compact-sm" variant="default" onClick={() => ask(asked, { ttlSeconds: UNTIL_BACK })}>
            Set when the hub is back (within 1 h)
          </Button>
        )}
        {outcome === "unknown" && commandId !== undefined && (
          <Button size="compact-sm" variant="default" loading={inquiry.isPending} onClick={() => inquiry.mutate()}>
            Check result
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => writes.dismiss(target)}>
          Dismiss
        </Button>
        {requestId !== undefined && <RequestLink requestId={requestId} />}
      </Group>
    </div>
  );
}
