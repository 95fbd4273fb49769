/** Values of properties, and what became of a write, in words: the same wherever they stand. */
import { outcomeText } from "@porchlight/sdk";
import type { WriteFailure } from "@porchlight/shared/api";

/** What yes and no mean of a standard property. */
const YES_AND_NO: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  on: ["on", "off"],
  open: ["open", "closed"],
  locked: ["locked", "unlocked"],
  jammed: ["jammed", "not jammed"],
  detected: ["detected", "clear"],
  occupied: ["occupied", "empty"],
  low: ["low", "not low"],
  active: ["active", "not active"],
};

/** What true and false are called. @param property its name, which may be anybody's */
export function booleanWords(property: string): readonly [yes: string, no: string] {
  return (Object.hasOwn(YES_AND_NO, property) ? YES_AND_NO[property] : undefined) ?? ["yes", "no"];
}

/** @param property its name @param unit as the description has it */
export function valueWords(value: unknown, property: string, unit?: string): string {
  if (value === undefined || value === null) return "no value";
  if (typeof value === "boolean") return booleanWords(property)[value ? 0 : 1];
  if (typeof value === "number") return withUnit(numberWords(value), unit);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function numberWords(value: number): string {
  return String(Number(value.toPrecision(7)));
}

/** @param amount a number, or a range of them, in words */
export function withUnit(amount: string, unit: string | undefined): string {
  if (unit === undefined) return amount;
  return unit === "deg" ? `${amount}°` : `${amount} ${unit}`;
}

/** How a write ended; undefined of one that never became a command. */
type Outcome = WriteFailure["outcome"] | "confirmed" | undefined;

/** What became of a write that was not confirmed, and what to do next. @param name of the error */
export function outcomeWords({ outcome, name }: { readonly outcome: Outcome; readonly name: string }): string {
  if (outcome === "confirmed") return "It was carried out after all.";
  // What was never a command is no use to repeat as it is.
  if (outcome === undefined) return outcomeText("not_sent").meaning;
  if (name === "Expired") return "It was never sent to the device.";
  const { meaning, next } = outcomeText(outcome);
  return `${meaning} ${next}`;
}
