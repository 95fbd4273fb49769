/** Every type of event, by its prefix (A6): the types, the patterns, the portal's choice and the table in `docs/api.md` derive from it. */

interface EventFamily {
  /** Heading of the family, for users. */
  readonly about: string;
  /** Content of `data`, in Markdown. */
  readonly data: string;
  /** By the type without `prefix.`: when such an event is appended. */
  readonly types: Readonly<Record<string, string>>;
}

export const EVENT_CATALOGUE = {
  property: {
    about: "Values of devices",
    data: "`{item, previousValue?, cause}`",
    types: { changed: "the value of a property changed" },
  },
  device: {
    about: "Devices",
    data: "the device",
    types: {
      added: "a device was added",
      updated: "its alias, metadata, services or hub changed",
      removed: "a device was removed",
      online: "its hub can reach it again",
      offline: "its hub cannot reach it",
      claimed: "another hub also announces the device",
    },
  },
  hub: {
    about: "Hubs",
    data: "the client",
    types: {
      added: "a hub was paired or registered",
      updated: "its alias or metadata changed",
      removed: "a hub was removed, with its devices",
      online: "a hub connected",
      offline: "a hub has been disconnected for ten seconds",
      restarted: "the agent of a hub was started again since its last connection",
      duplicate: "two hubs use the same identity",
    },
  },
  command: {
    about: "Commands",
    data: "the command, with its `tokenId`",
    types: {
      completed: "a command to a device has ended, confirmed or not, and its sender did not get the end",
      unconfirmed:
        "a command was not confirmed while its sender waited; of one with the outcome `unknown` the end follows",
    },
  },
  zone: {
    about: "Zones",
    data: "the zone",
    types: {
      created: "a zone was created",
      updated: "its alias, metadata or items changed",
      deleted: "a zone was deleted",
    },
  },
  scene: {
    about: "Scenes",
    data: "the scene; of `scene.called` `{sceneId, commandId, tokenId?, confirmed, failures?}`",
    types: {
      created: "a scene was created",
      updated: "its alias, metadata, items or triggers changed",
      deleted: "a scene was deleted",
      called: "a scene was called through the service, and all its writes have been answered",
    },
  },
  environment: {
    about: "Environments",
    data: "the environment",
    types: {
      created: "an environment was created",
      updated: "its alias, metadata, time zone or location changed",
      deleted: "an environment was deleted, with everything in it",
    },
  },
  user: {
    about: "Users",
    data: "the user",
    types: {
      created: "a user was registered",
      updated: "its alias or metadata changed",
      deleted: "a user was deleted",
    },
  },
  webhook: {
    about: "Webhooks",
    data: "the webhook",
    types: {
      disabled: "the service has disabled a webhook",
      test: "a test event was sent",
    },
  },
  alert: {
    about: "Alerts",
    data: "the alert; of `alert.test` only `{ecosystemId, text}`",
    types: {
      opened: "a problem began for which alerts are turned on",
      ended: "the problem ended",
      test: "a test alert was sent",
    },
  },
} as const satisfies Readonly<Record<string, EventFamily>>;

/** The part of a type before the dot. */
export type EventPrefix = keyof typeof EVENT_CATALOGUE;

/** Types of a prefix. */
export type EventTypeOf<P extends EventPrefix> = {
  [Each in P]: `${Each}.${keyof (typeof EVENT_CATALOGUE)[Each]["types"] & string}`;
}[P];

export type EventType = EventTypeOf<EventPrefix>;

/** A prefix with its types, as lists. */
export interface EventTypes {
  readonly prefix: string;
  readonly about: string;
  readonly data: string;
  readonly types: readonly { readonly type: string; readonly when: string }[];
}

/** The prefixes with their types, in the order of the catalogue. */
export function eventTypes(): EventTypes[] {
  return Object.entries<EventFamily>(EVENT_CATALOGUE).map(([prefix, { about, data, types }]) => ({
    prefix,
    about,
    data,
    types: Object.entries(types).map(([name, when]) => ({ type: `${prefix}.${name}`, when })),
  }));
}
