/** The time at which a device was last received on the radio, if zigbee2mqtt publishes it (`advanced.last_seen`). */
import { numberIn, type Read } from "@porchlight/driver-kit";
import { formatTime, parseTime } from "@porchlight/shared/kernel";
import type { PropertyAddress } from "@porchlight/shared/model";
import type { MqttProperty } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";
import type { Members } from "./members.ts";

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
function readLastSeen(told: unknown): Read<string> {
  if (told === undefined) return undefined;
  const ms = typeof told === "string" ? (numberIn(told) ?? isoTime(told)) : told;
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
