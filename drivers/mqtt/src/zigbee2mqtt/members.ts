/**
 * Where the members of a device's messages are published, by zigbee2mqtt's setting `advanced.output`: all in one JSON object, or each as
 * text on its own topic.
 */
import { at, numberIn, type Read } from "@porchlight/driver-kit";
import { formatTime, parseTime } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import type { MqttProperty, MqttState, Publication } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";

/** Another member that decides whether a member is valid. */
export interface Validity {
  readonly path: readonly string[];
  /** Undefined where the value does not decide it. */
  readonly isValid: (raw: unknown) => boolean | undefined;
}

export interface Members {
  readonly isJson: boolean;
  /** The topic of the member at this path, and its reader. While the member is not valid, it is no value. */
  state(path: readonly string[], read: (raw: unknown) => Read<Value>, validity?: Validity): MqttState;
}

export function jsonMembers(topics: DeviceTopics): Members {
  return {
    isJson: true,
    state: (path, read, validity) => ({
      topic: topics.state,
      read: ({ object }) => {
        const raw = at(object, ...path);
        return raw === undefined || isValid(object, validity) ? read(raw) : null;
      },
      raw: ({ object }) => (isValid(object, validity) ? at(object, ...path) : undefined),
    }),
  };
}

export function attributeMembers(topics: DeviceTopics): Members {
  return {
    isJson: false,
    state: (path, read, validity) => ({
      topic: topics.attribute(path),
      read: (payload) => read(textOf(payload)),
      raw: textOf,
      ...(validity
        ? {
            holds: [
              {
                id: topics.attribute(path),
                mode: "all",
                topics: [
                  { topic: topics.attribute(validity.path), read: (payload) => validity.isValid(textOf(payload)) },
                ],
                initially: true,
              },
            ],
          }
        : {}),
    }),
  };
}

function isValid(message: unknown, validity: Validity | undefined): boolean {
  return validity?.isValid(at(message, ...validity.path)) ?? true;
}

/** An empty text means that there is no value. */
function textOf({ text }: Payload): string | null {
  return text === "" ? null : text;
}

/** The topics of one device, and the messages on them. */
export interface DeviceTopics {
  readonly state: string;
  readonly availability: string;
  /** The topic of a member with the setting `output: attribute`. @param path the members from the outermost to the innermost */
  attribute(path: readonly string[]): string;
  set(members: object): Publication;
  get(members: object): Publication;
}

/** Maximum length of a topic, bytes. */
const LONGEST = 1024;

/** Undefined for a name that is no valid topic. */
export function deviceTopics(base: string, friendlyName: string): DeviceTopics | undefined {
  const state = `${base}/${friendlyName}`;
  if (friendlyName === "" || /[+#\0]/.test(friendlyName) || Buffer.byteLength(state) > LONGEST) return undefined;
  return {
    state,
    availability: `${state}/availability`,
    attribute: (path) => `${state}/${path.join("-")}`,
    set: (members) => ({ topic: `${state}/set`, payload: JSON.stringify(members) }),
    get: (members) => ({ topic: `${state}/get`, payload: JSON.stringify(members) }),
  };
}

/** Resolution of the reported time, ms: every message has a new time, and at this resolution the value changes at most once a minute. */
const EXACT_TO_MS = 60_000;
/** The last time that has a text form: the end of the year 9999. */
const LATEST_MS = 253_402_300_799_000;

export const LAST_SEEN = "last_seen";

export function lastSeenProperty(address: PropertyAddress, members: Members): MqttProperty {
  return {
    address,
    description: { property: address.property, type: "string", access: ["read", "notify"] },
    state: members.state([LAST_SEEN], readLastSeen),
  };
}

/**
 * Distinguishes a device's own messages from messages that zigbee2mqtt builds from its memory, after its start and when a command changes
 * a part. In these the time of the last reception is unchanged.
 */
export class LastSeenTimes {
  /** From the last message, by edgeId. */
  readonly #last = new Map<string, unknown>();

  /** Whether the device was not received since its previous message. */
  isRemembered(edgeId: string, { object }: Payload): boolean {
    const seen = object?.[LAST_SEEN];
    if (seen === undefined || seen === null) return false;
    const before = this.#last.get(edgeId);
    this.#last.set(edgeId, seen);
    return before === seen;
  }

  /** Forgets all other devices. */
  keep(edgeIds: ReadonlyMap<string, unknown>): void {
    for (const edgeId of this.#last.keys()) if (!edgeIds.has(edgeId)) this.#last.delete(edgeId);
  }
}

/** A time in milliseconds, or in ISO 8601. */
function readLastSeen(reported: unknown): Read<string> {
  if (reported === undefined) return undefined;
  const ms = typeof reported === "string" ? (numberIn(reported) ?? isoTime(reported)) : reported;
  if (typeof ms !== "number" || !(ms >= 0 && ms <= LATEST_MS)) return null;
  return formatTime(Math.floor(ms / EXACT_TO_MS) * EXACT_TO_MS);
}

/** In UTC, or at an offset from it (ISO 8601). */
function isoTime(text: string): number | undefined {
  const [, local, sign, hours, minutes] = /^(.+)([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  if (local === undefined) return parseTime(text);
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const ms = parseTime(`${local}Z`);
  return ms === undefined ? undefined : ms + (sign === "+" ? -offsetMs : offsetMs);
}
