/** When a device was last heard on the radio, where zigbee2mqtt is set to tell it (`advanced.last_seen`). */
import { numberIn, type Read } from "@porchlight/driver-kit";
import { formatTime, parseTime } from "@porchlight/shared/kernel";
import type { PropertyAddress } from "@porchlight/shared/model";
import type { MqttProperty } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";
import type { Members } from "./members.ts";

/** Every message has it anew: to the minute it changes as seldom as people care. */
const EXACT_TO_MS = 60_000;
/** The last moment that has a text: the end of the year 9999. */
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
 * Tells messages of a device from those that zigbee2mqtt makes of its memory: after its own start, and when a command changes a part. The
 * time at which the device was heard is the same in these.
 */
export class LastSeenTimes {
  /** As the last message had it, by edgeId. */
  readonly #last = new Map<string, unknown>();

  /** Whether the device was not heard since its message before. */
  isRemembered(edgeId: string, { object }: Payload): boolean {
    const seen = object?.[LAST_SEEN];
    if (seen === undefined || seen === null) return false;
    const before = this.#last.get(edgeId);
    this.#last.set(edgeId, seen);
    return before === seen;
  }

  /** Only these devices are there. */
  keep(edgeIds: ReadonlyMap<string, unknown>): void {
    for (const edgeId of this.#last.keys()) if (!edgeIds.has(edgeId)) this.#last.delete(edgeId);
  }
}

/** A time in milliseconds, or as ISO 8601 has it. */
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
