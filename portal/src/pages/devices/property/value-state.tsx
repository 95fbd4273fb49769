/** How sure a value is, alike for every property: asked for and not yet said by the device, never told, or older than the rest. */
import { useIsCurrent } from "../../../kit/display/current.ts";
import { Hint } from "../../../kit/lazy/hint.tsx";
import { ageOf, clockOf, timeOf, useNow } from "../../../kit/text/age.tsx";
import { type Property, useDevicePage } from "../device/device-page-context.tsx";
import { isFresh } from "../words.ts";
import classes from "./property-row.module.css";

/** @param words the value in words */
export function ValueState({
  property,
  isTold,
  words,
}: {
  readonly property: Property;
  /** Whether the device tells it at all: some settings can only be written. */
  readonly isTold: boolean;
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
  if (!isTold)
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
  // The page says once how old what it shows is; what is older than that says so itself.
  const ms = now - timeOf(known.observedAt);
  if (isFresh(ms) || timeOf(known.observedAt) + MUCH_OLDER > timeOf(heardAt ?? known.observedAt)) return null;
  return (
    <Hint label={`Observed ${known.observedAt}${known.modifiedAt ? `, changed ${known.modifiedAt}` : ""}.`}>
      <span>{isCurrent ? `${ageOf(ms)} ago` : `as of ${clockOf(known.observedAt)}`}</span>
    </Hint>
  );
}

/** An age that differs by less from the device's own is not worth a word, ms. */
const MUCH_OLDER = 60_000;

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
