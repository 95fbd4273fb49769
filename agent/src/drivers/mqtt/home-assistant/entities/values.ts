/** What the texts of Home Assistant's messages mean as values. */
import type { Value } from "@porchlight/shared/model";

/** Undefined: the text says nothing of the property. `null`: it says that there is no value. */
export type Convert = (text: string) => Value | undefined;

/** How templates print that there is none. */
const NONE = "None";
const NO_NUMBER = new Set([NONE, "unknown", "unavailable", "null"]);

/** Texts that mean values, and `None`. */
export function meaning(words: readonly (readonly [string, Value | undefined])[]): Convert {
  // The first that has a word counts.
  const meanings = new Map(words.toReversed());
  return (text) => (meanings.has(text) ? meanings.get(text) : text === NONE ? null : undefined);
}

/** A number. @param of what it means, in the property's unit */
export function numberBy(of: (number: number) => number = (number) => number, none: string = NONE): Convert {
  return (text) => {
    const number = numberIn(text);
    if (number !== undefined) return tidy(of(number));
    return text === none || NO_NUMBER.has(text) ? null : undefined;
  };
}

/** One of these words. */
export function oneOf(words: readonly string[], none: string = NONE): Convert {
  const known = new Set(words);
  return (text) => (known.has(text) ? text : text === none ? null : undefined);
}

/** Any text. */
export const anyText: Convert = (text) => (text === NONE ? null : text === "" ? undefined : text);

/** Undefined when it is no finite number. */
export function numberIn(text: string): number | undefined {
  if (text.trim() === "") return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** Without what conversions add in the last digits, and without a negative zero. */
export function tidy(number: number): number {
  return Math.round(number * 1e6) / 1e6 + 0;
}

/** A value of a property that is described as a number. */
export function asNumber(value: Value | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
