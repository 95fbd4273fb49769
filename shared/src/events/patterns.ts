/** Patterns of event types that a consumer wants: a type, `prefix.*`, or `*` (A5 and A6). */
import { eventTypes } from "./catalogue.ts";

const TYPES = eventTypes().flatMap(({ types }) => types.map(({ type }) => type));

/** The first pattern that matches no type at all; undefined when all are valid. */
export function badPattern(patterns: readonly string[]): string | undefined {
  return patterns.find((pattern) => !TYPES.some((type) => matches(pattern, type)));
}

/** Whether any of the patterns matches the type. */
export function wants(patterns: readonly string[], type: string): boolean {
  return patterns.some((pattern) => matches(pattern, type));
}

function matches(pattern: string, type: string): boolean {
  if (pattern === "*" || pattern === type) return true;
  return pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1)) && pattern.length > 2;
}
