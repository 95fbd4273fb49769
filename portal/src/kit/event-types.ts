/** The kinds of events there are, in words; and choosing some of them by type or by `prefix.*`. */

export interface EventGroup {
  /** What `prefix.*` begins with. */
  readonly prefix: string;
  readonly about: string;
  readonly types: readonly { readonly type: string; readonly says: string }[];
}

const row = (prefix: string, name: string, says: string) => ({ type: `${prefix}.${name}`, says });

export const EVENT_GROUPS: readonly EventGroup[] = [
  {
    prefix: "property",
    about: "Values of devices",
    types: [row("property", "changed", "a property of a device has another value")],
  },
  {
    prefix: "device",
    about: "Devices",
    types: [
      row("device", "added", "a device is there for the first time"),
      row("device", "updated", "its alias, metadata, services or hub changed"),
      row("device", "removed", "a device is gone"),
      row("device", "online", "its hub can reach it again"),
      row("device", "offline", "its hub cannot reach it"),
      row("device", "claimed", "another hub would have it"),
    ],
  },
  {
    prefix: "hub",
    about: "Hubs",
    types: [
      row("hub", "added", "a hub was paired or registered"),
      row("hub", "updated", "its alias or metadata changed"),
      row("hub", "removed", "a hub is gone, with the devices on it"),
      row("hub", "online", "a hub is connected"),
      row("hub", "offline", "a hub has been away for ten seconds"),
      row("hub", "duplicate", "two hubs use the same identity"),
    ],
  },
  {
    prefix: "command",
    about: "Commands",
    types: [row("command", "completed", "what was asked of a device has ended, well or not")],
  },
  {
    prefix: "zone",
    about: "Zones",
    types: [
      row("zone", "created", "a zone was made"),
      row("zone", "updated", "its alias, metadata or items changed"),
      row("zone", "deleted", "a zone is gone"),
    ],
  },
  {
    prefix: "environment",
    about: "Environments",
    types: [
      row("environment", "created", "an environment was made"),
      row("environment", "updated", "its alias or metadata changed"),
      row("environment", "deleted", "an environment is gone, with all in it"),
    ],
  },
  {
    prefix: "user",
    about: "Users",
    types: [
      row("user", "created", "a user was registered"),
      row("user", "updated", "its alias or metadata changed"),
      row("user", "deleted", "a user is gone"),
    ],
  },
  {
    prefix: "webhook",
    about: "Webhooks",
    types: [
      row("webhook", "disabled", "the service has disabled a webhook"),
      row("webhook", "test", "somebody tests a webhook"),
    ],
  },
];

export const EVERYTHING = "*";

/** What any of these patterns takes. */
export function isWanted(type: string, patterns: readonly string[]): boolean {
  return patterns.some(
    (pattern) =>
      pattern === EVERYTHING || pattern === type || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1))),
  );
}

/**
 * The patterns after one was chosen or given up, in the order of the table. What `prefix.*` has already need not stand beside it.
 * @param pattern a type or `prefix.*`
 */
export function toggled(patterns: readonly string[], pattern: string): string[] {
  const chosen = new Set(patterns.filter((each) => each !== EVERYTHING));
  if (!chosen.delete(pattern)) chosen.add(pattern);
  return EVENT_GROUPS.flatMap(({ prefix, types }) => {
    const all = `${prefix}.*`;
    if (chosen.has(all)) return [all];
    return types.map(({ type }) => type).filter((type) => chosen.has(type));
  });
}
