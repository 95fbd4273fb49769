/** Which types of events a consumer wants: a type, `prefix.*`, or `*` (A5 and A6). */

/** Every type that an event can have. */
const EVENT_TYPES = [
  "property.changed",
  "device.added",
  "device.updated",
  "device.removed",
  "device.online",
  "device.offline",
  "device.claimed",
  "hub.added",
  "hub.updated",
  "hub.removed",
  "hub.online",
  "hub.offline",
  "hub.duplicate",
  "zone.created",
  "zone.updated",
  "zone.deleted",
  "environment.created",
  "environment.updated",
  "environment.deleted",
  "user.created",
  "user.updated",
  "user.deleted",
  "command.completed",
  "webhook.disabled",
  "webhook.test",
] as const;

/** The first of these that means no type at all; undefined when all are good. */
export function badPattern(patterns: readonly string[]): string | undefined {
  return patterns.find((pattern) => !EVENT_TYPES.some((type) => matches(pattern, type)));
}

/** Whether any of the patterns means the type. */
export function wants(patterns: readonly string[], type: string): boolean {
  return patterns.some((pattern) => matches(pattern, type));
}

function matches(pattern: string, type: string): boolean {
  if (pattern === "*" || pattern === type) return true;
  return pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1)) && pattern.length > 2;
}
