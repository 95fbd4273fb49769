/** The time spans of dashboard charts with their labels. Pure. */
import { spanOf } from "@porchlight/shared/presentation";
import { DAY, HOUR } from "../../charts/span.ts";

const RANGES: readonly (readonly [length: number, words: string])[] = [
  [HOUR, "last hour"],
  [DAY, "last 24 hours"],
  [7 * DAY, "last 7 days"],
  [30 * DAY, "last 30 days"],
  [365 * DAY, "last year"],
];

/** @param length in ms */
export function rangeWords(length: number): string {
  return RANGES.find(([each]) => each === length)?.[1] ?? `last ${spanOf(length).replace(/ 0 (?:min|h)$/, "")}`;
}

/** The choices of a select. @param chosen the current time span, which can be an unusual one */
export function rangeChoices(
  chosen: number | undefined,
): readonly { readonly value: string; readonly label: string }[] {
  const lengths = RANGES.map(([length]) => length);
  const all = chosen === undefined || lengths.includes(chosen) ? lengths : [...lengths, chosen];
  return all.map((length) => ({ value: String(length), label: capital(rangeWords(length)) }));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
