/** Converts the texts of Home Assistant's messages to values: the kit's readers, for the words and numbers of one entity. */
import { readNumber, readShare, readText } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";

/** `null`: the text means that there is no value, or is no valid value of this property. Undefined: it contains no event. */
export type Convert = (text: string) => Value | undefined;

/** Words with their values; every other text is no value. Words are compared without regard to case where that keeps them distinct. */
export function meaning(words: readonly (readonly [string, Value])[]): Convert {
  // Of repeated words, the first counts.
  const exact = new Map(words.toReversed());
  const lower = new Map(words.toReversed().map(([word, value]) => [word.toLowerCase(), value]));
  const isPlain = new Set(words.map(([word]) => word.toLowerCase())).size === new Set(words.map(([word]) => word)).size;
  return (text) => {
    const word = text.trim();
    return exact.get(text) ?? exact.get(word) ?? (isPlain ? lower.get(word.toLowerCase()) : undefined) ?? null;
  };
}

/**
 * A number.
 * @param of converts to the property's unit: `null` where the number is no value
 * @param none a text of the entity for no value
 */
export function numberBy(of: (number: number) => number | null = (number) => number, none?: string): Convert {
  return (text) => {
    const number = text === none ? null : readNumber(text);
    const value = typeof number === "number" ? of(number) : null;
    return value === null ? null : tidy(value);
  };
}

/** A number that cannot be outside its range, in the property's unit. */
export function shareBy(of: (number: number) => number, min: number, max: number, none?: string): Convert {
  return numberBy((number) => readShare(of(number), min, max) ?? null, none);
}

/** One of these words. */
export function oneOf(words: readonly string[], none?: string): Convert {
  const known = new Set(words);
  return (text) => (text !== none && known.has(text) ? text : null);
}

/** Any text. */
export const anyText: Convert = (text) => readText(text) ?? null;

/** Removes digits that conversions add, and the sign of a negative zero. */
export function tidy(number: number): number {
  return Math.round(number * 1e6) / 1e6 + 0;
}

/** The value as a number, if the property has one. */
export function asNumber(value: Value | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
