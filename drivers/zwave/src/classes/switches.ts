/** Binary and multilevel switches, by what their endpoint is: plug, lamp, fan, valve, siren. Covers are in their own file. */
import { readBoolean, readNumber } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import { LAST_LEVEL, levelOfPercent, percentOfLevel } from "../values/levels.ts";
import type { RawOf } from "../values/node-values.ts";
import type { ValueId } from "../values/value-id.ts";
import {
  type ClassValues,
  classProperty,
  type Mapped,
  namedValue,
  ownProperty,
  type ZwaveProperty,
} from "./zwave-property.ts";

/** The service and property of a binary switch, by what it switches. */
const BINARY = {
  valve: ["Valve", "open"],
  fan: ["Fan", "on"],
  other: ["Switch", "on"],
} as const;

export function binarySwitch(given: ClassValues): Mapped {
  const { endpoint, kind } = given;
  const current = namedValue(given, "currentValue");
  // The switch of a cover is its motor, which is described as a cover.
  if (!current || kind === "cover") return { properties: [] };
  const target = namedValue(given, "targetValue");
  const of = [current.id];
  const read = (raw: RawOf) => readBoolean(raw(current.id));
  const set = target && ((value: Value) => ({ at: target.id, value: value === true, now: value === true }));
  if (kind === "siren") return { properties: [sirenProperty(endpoint, { of, read, set })], isSensitive: true };
  const [service, property] = BINARY[kind];
  return { properties: classProperty(endpoint, service, property, { of, read, set }) };
}

/** @param hasBinary the endpoint has a binary switch too, which then says whether it is on */
export function multilevelSwitch(given: ClassValues, hasBinary: boolean): Mapped {
  const { endpoint, kind } = given;
  const current = namedValue(given, "currentValue");
  if (!current) return { properties: [] };
  const target = namedValue(given, "targetValue")?.id;
  const isFan = kind === "fan";
  const on = hasBinary ? [] : classProperty(endpoint, isFan ? "Fan" : "Switch", "on", onParts(current.id, target));
  const level = classProperty(endpoint, isFan ? "Fan" : "LightLevel", isFan ? "speed" : "level", {
    of: [current.id],
    read: (raw) => percentOfLevel(raw(current.id)),
    set: target && ((percent) => levelSetting(target, Number(percent))),
  });
  return { properties: [...on, ...level] };
}

/** Turned on, it has the level that it had last. */
function onParts(current: ValueId, target: ValueId | undefined): Pick<ZwaveProperty, "of" | "read" | "set"> {
  const read = (raw: RawOf) => {
    // It is on at a level that it does not report.
    if (readNumber(raw(current)) === LAST_LEVEL) return true;
    const percent = percentOfLevel(raw(current));
    return typeof percent === "number" ? percent > 0 : percent;
  };
  const set = (on: Value, at: ValueId) => ({ at, value: on === true ? LAST_LEVEL : 0, now: on === true });
  return { of: [current], read, set: target && ((on) => set(on, target)) };
}

function levelSetting(at: ValueId, percent: number) {
  const value = levelOfPercent(percent);
  return { at, value, now: percentOfLevel(value) ?? null };
}

/** `Siren.active`, of a siren that is switched or that plays sounds. */
export function sirenProperty(endpoint: number, parts: Pick<ZwaveProperty, "of" | "read" | "set">): ZwaveProperty {
  return ownProperty(endpoint, "Siren", { property: "active", type: "boolean" }, parts);
}
