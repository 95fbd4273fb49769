/** When a device was last heard on the radio, where zigbee2mqtt is set to tell it (`advanced.last_seen`). */
import { formatTime, parseTime } from "@porchlight/shared/kernel";
import type { MqttProperty } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";
import type { DeviceTopics } from "./topics.ts";

/** Every message has it anew: to the minute it changes as seldom as people care. */
const EXACT_TO_MS = 60_000;
/** The last moment that has a text: the end of the year 9999. */
const LATEST_MS = 253_402_300_799_000;

export function lastSeenProperty(topics: DeviceTopics): MqttProperty {
  return {
    address: { service: "Readings", index: "0", property: "lastSeen" },
    description: { property: "lastSeen", type: "string", access: ["read", "notify"] },
    state: { topic: topics.state, read: lastSeenIn },
  };
}

/** A time in milliseconds, or as ISO 8601 has it. */
function lastSeenIn({ object }: Payload): string | undefined {
  const told = object?.last_seen;
  const ms = typeof told === "string" ? isoTime(told) : told;
  if (typeof ms !== "number" || !(ms >= 0 && ms <= LATEST_MS)) return undefined;
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
