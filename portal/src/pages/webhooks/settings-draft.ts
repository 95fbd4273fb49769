/** What a person chooses in the settings of a webhook: event types, by type or by `prefix.*`, and a new secret. Pure. */
import { eventTypes } from "@porchlight/shared/events";

export const EVERYTHING = "*";

/**
 * Toggles a pattern, in the order of the table of events. Drops types that a selected `prefix.*` already covers.
 * @param pattern a type or `prefix.*`
 */
export function toggled(patterns: readonly string[], pattern: string): string[] {
  const chosen = new Set(patterns.filter((each) => each !== EVERYTHING));
  if (!chosen.delete(pattern)) chosen.add(pattern);
  return eventTypes().flatMap(({ prefix, types }) => {
    const all = `${prefix}.*`;
    if (chosen.has(all)) return [all];
    return types.map(({ type }) => type).filter((type) => chosen.has(type));
  });
}

/** @param random fills the given array with random bytes */
export function newSecret(
  random: (bytes: Uint8Array<ArrayBuffer>) => void = (bytes) => crypto.getRandomValues(bytes),
): string {
  const bytes = new Uint8Array(32);
  random(bytes);
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
