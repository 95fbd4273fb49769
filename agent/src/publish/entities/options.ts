/** Options that several kinds of entity have: topics, words for true and false, and templates over plain values. */

import type { DescribedProperty } from "@porchlight/shared/model";
import type { PropertyTopics } from "../messages/topics.ts";

/** How a truth value stands on a topic. */
export const TRUE = "true";
export const FALSE = "false";

/** The topics of a property under Home Assistant's names for them; a topic that the property has no use for is left out. */
export function topics(
  of: PropertyTopics,
  property: DescribedProperty | undefined,
  { state = "state_topic", command = "command_topic" } = {},
): Readonly<Record<string, string>> {
  if (!property) return {};
  return {
    ...(property.readable ? { [state]: of.state(property) } : {}),
    ...(property.writable ? { [command]: of.set(property) } : {}),
  };
}

/** The template that makes a whole number of a property that may have others; none where it has whole numbers only. */
export function wholeNumber(property: DescribedProperty | undefined, option: string): Readonly<Record<string, string>> {
  if (!property?.readable || property.description.type === "integer") return {};
  return { [option]: "{{ value if value == 'None' else value | float | round | int }}" };
}

/** The values of a description as words, each once; empty ones cannot be chosen. */
export function wordsOf({ description: { values = [] } }: DescribedProperty): readonly string[] {
  return [...new Set(values.map(String))].filter((word) => word !== "");
}
