/** Values, their age and what became of a write, in words. */
import type { Refusal } from "../../live/write-state.ts";

/** What yes and no mean of a standard property. */
const YES_AND_NO: Readonly<Record<string, readonly [string, string]>> = {
  on: ["on", "off"],
  open: ["open", "closed"],
  locked: ["locked", "unlocked"],
  jammed: ["jammed", "not jammed"],
  detected: ["detected", "clear"],
  occupied: ["occupied", "empty"],
  low: ["low", "not low"],
  active: ["active", "not active"],
};

/** @param property its name @param unit as the description has it */
export function valueWords(value: unknown, property: string, unit?: string): string {
  if (value === undefined || value === null) return "no value";
  if (typeof value === "boolean") {
    const words = Object.hasOwn(YES_AND_NO, property) ? YES_AND_NO[property] : undefined;
    return (words ?? ["yes", "no"])[value ? 0 : 1] ?? "";
  }
  if (typeof value === "number") return unitWords(numberWords(value), unit);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function numberWords(value: number): string {
  return String(Number(value.toPrecision(7)));
}

function unitWords(number: string, unit: string | undefined): string {
  if (unit === undefined) return number;
  if (unit === "deg") return `${number}°`;
  return `${number} ${unit}`;
}

/** What became of a write that was refused: the one thing that says whether to repeat it. */
export function outcomeWords({ outcome, name }: Pick<Refusal, "outcome" | "name">): string {
  switch (outcome) {
    case "not_sent":
      return name === "Expired" ? "It was never sent to the device." : "Nothing was sent: the device is as it was.";
    case "not_applied":
      return "The device did not act on it.";
    case "rejected":
      return "The device refused it, and is as it was.";
    case "unknown":
      return "It may have been carried out: nobody knows yet.";
    case "confirmed":
      return "It was carried out all the same.";
    case undefined:
      return "Nothing was sent.";
  }
}

/** The latest of these times of the service, which are ordered as text is; undefined when there is none. */
export function latestOf(times: readonly (string | undefined)[]): string | undefined {
  return times.reduce(
    (one, other) => (one === undefined || (other !== undefined && other > one) ? other : one),
    undefined,
  );
}

/** After so long a value is shown with its age, ms. */
const FRESH = 60_000;

/** Whether what was observed so long ago still counts as fresh. @param ms may be negative: clocks differ */
export function isFresh(ms: number): boolean {
  return ms < FRESH;
}
