/** Choosing some of the kinds of events, by type or by `prefix.*`. */
import { eventTypes } from "@porchlight/shared/events";

export const EVERYTHING = "*";

/**
 * The patterns after one was chosen or given up, in the order of the table. What `prefix.*` has already need not stand beside it.
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
