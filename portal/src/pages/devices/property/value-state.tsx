/** How sure a value is, alike for every property: fresh, as of when, or asked for and not yet said by the device. */
import { Tooltip } from "@mantine/core";
import { useIsCurrent } from "../../../kit/display/current.ts";
import { ageOf, clockOf, timeOf, useNow } from "../../../kit/text/age.tsx";
import type { Property } from "../device/device-page-context.tsx";
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
  const { state, known, value, isPending, isRefreshed } = property;
  if (isPending)
    return (
      <span className={classes.pending}>
        <bdi>
          {state.kind === "waiting"
            ? `${short(words(value))} waits for the hub until ${clockOf(state.command.expiresAt)}`
            : `asking for ${short(words(value))}`}
        </bdi>
        <br />
        <bdi>last known: {short(words(known.value))}</bdi>
      </span>
    );
  if (!isTold)
    return (
      <Tooltip label="The device never tells this value. A write that nothing else confirms ends with the outcome unknown: it may have happened.">
        <span>not told by the device</span>
      </Tooltip>
    );
  if (known.source === "retained")
    return (
      <Tooltip label="The broker has kept this value since an unknown time. The device has not said it since.">
        <span>of unknown age</span>
      </Tooltip>
    );
  if (known.observedAt === undefined) return null;
  const ms = now - timeOf(known.observedAt);
  const source = isRefreshed ? "refreshed" : "cached";
  const about = isRefreshed
    ? "This page asked the device for it."
    : "What the service keeps: the last that the device told.";
  return (
    <Tooltip label={`${about} Observed ${known.observedAt}${known.modifiedAt ? `, changed ${known.modifiedAt}` : ""}.`}>
      <span>{ageText(known.observedAt, ms, isCurrent, source)}</span>
    </Tooltip>
  );
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** While nothing is heard of the service, an age would be a guess: the time of the value is not. */
function ageText(observedAt: string, ms: number, isCurrent: boolean, source: string): string {
  if (!isCurrent) return `as of ${clockOf(observedAt)}, ${source}`;
  return isFresh(ms) ? "just updated" : `as of ${ageOf(ms)} ago, ${source}`;
}
