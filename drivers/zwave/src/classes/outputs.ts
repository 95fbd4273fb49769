/**
 * Outputs: binary and multilevel switches, sound switches (sirens and chimes), the Indicator class, and door locks. The kind of the
 * endpoint decides what a switch is: plug, lamp, fan, valve or siren. Covers are in their own file.
 */
import {
  identifyOnly,
  type Read,
  readBoolean,
  readEither,
  readNumber,
  readOneOf,
  readShare,
} from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import { type RawOf, type ValueId, valueKey } from "../values/node-state.ts";
import {
  type ClassValues,
  classProperty,
  LAST_LEVEL,
  levelOfPercent,
  type Mapped,
  namedValue,
  ownProperty,
  percentOfLevel,
  type ZwaveProperty,
} from "./zwave-property.ts";

/** Plays the default tone. */
const DEFAULT_TONE = 255;

export function soundSwitch(given: ClassValues): Mapped {
  const { endpoint } = given;
  const tone = namedValue(given, "toneId");
  if (!tone) return { properties: [] };
  const read = (raw: RawOf) => isPlaying(raw(tone.id));
  const set = (value: Value) => ({ at: tone.id, value: value === true ? DEFAULT_TONE : 0, now: value === true });
  const active = sirenProperty(endpoint, { of: [tone.id], read, set });
  const ofNumber = (of: string, property: string, max: number | undefined, unit?: string): ZwaveProperty[] => {
    const value = namedValue(given, of);
    if (!value) return [];
    const description = { property, type: "integer" as const, min: 0, max: max ?? value.metadata.max, unit };
    return [
      ownProperty(endpoint, "Siren", description, {
        of: [value.id],
        read: (raw) => readShare(readNumber(raw(value.id)), 0, description.max ?? DEFAULT_TONE),
        set: (asked) => ({ at: value.id, value: asked, now: asked }),
      }),
    ];
  };
  const settings = [...ofNumber("defaultVolume", "volume", 100, "%"), ...ofNumber("defaultToneId", "tone", undefined)];
  return { properties: [active, ...settings], isSensitive: true };
}

function isPlaying(tone: unknown): Read<boolean> {
  const number = readShare(readNumber(tone), 0, DEFAULT_TONE);
  return typeof number === "number" ? number > 0 : number;
}

/** A device with the Indicator class can identify itself by blinking or beeping. */
export function indicator(given: ClassValues): Mapped {
  const identify = namedValue(given, "identify");
  if (!identify || given.endpoint !== 0) return { properties: [] };
  const set = () => ({ at: identify.id, value: true, now: true });
  return { properties: identifyOnly().map((each) => ({ ...each, of: [], read: () => undefined, set })) };
}

/** Service and property of a binary switch, by the kind of its endpoint. */
const BINARY = {
  valve: ["Valve", "open"],
  fan: ["Fan", "on"],
  other: ["Switch", "on"],
} as const;

export function binarySwitch(given: ClassValues): Mapped {
  const { endpoint, kind } = given;
  const current = namedValue(given, "currentValue");
  // The switch of a cover drives its motor and is described as a cover.
  if (!current || kind === "cover") return { properties: [] };
  const target = namedValue(given, "targetValue");
  const of = [current.id];
  const read = (raw: RawOf) => readBoolean(raw(current.id));
  const set = target && ((value: Value) => ({ at: target.id, value: value === true, now: value === true }));
  if (kind === "siren") return { properties: [sirenProperty(endpoint, { of, read, set })], isSensitive: true };
  const [service, property] = BINARY[kind];
  return { properties: classProperty(endpoint, service, property, { of, read, set }) };
}

/** @param hasBinary the endpoint also has a binary switch, which then provides on and off */
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

/** Turning it on restores its last level. */
function onParts(current: ValueId, target: ValueId | undefined): Pick<ZwaveProperty, "of" | "read" | "set"> {
  const read = (raw: RawOf) => {
    // On, at a level that the device does not report.
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

/** `Siren.active`, for a siren by switch or by sound. */
function sirenProperty(endpoint: number, parts: Pick<ZwaveProperty, "of" | "read" | "set">): ZwaveProperty {
  return ownProperty(endpoint, "Siren", { property: "active", type: "boolean" }, parts);
}

const SECURED = 255;
/** Unsecured, from the inside, from the outside, each with and without a timeout; a partly locked door counts as unlocked. */
const UNSECURED = [0, 1, 16, 17, 32, 33];

/** Keypad codes are secrets of the people who use them, so they are never described. */
export function doorLock(given: ClassValues): Mapped {
  const { endpoint } = given;
  const mode = namedValue(given, "currentMode");
  const target = namedValue(given, "targetMode");
  const door = namedValue(given, "doorStatus");
  const locked = mode
    ? classProperty(endpoint, "Lock", "locked", {
        of: [mode.id],
        // 254 means that the lock does not know its state.
        read: (raw) => readEither(raw(mode.id), [SECURED], UNSECURED),
        set: target && ((value) => ({ at: target.id, value: value === true ? SECURED : 0, now: value === true })),
      })
    : [];
  const contact = door
    ? classProperty(endpoint, "Contact", "open", {
        of: [door.id],
        read: (raw) => readEither(raw(door.id), ["open"], ["closed"]),
      })
    : [];
  const parts = [
    word(given, "boltStatus", "bolt", ["locked", "unlocked"]),
    word(given, "latchStatus", "latch", ["open", "closed"]),
  ];
  return { properties: [...locked, ...contact, ...parts.flat()] };
}

function word(given: ClassValues, of: string, property: string, values: readonly string[]): ZwaveProperty[] {
  const value = namedValue(given, of);
  if (!value) return [];
  const description = { property, type: "string" as const, values };
  const words = values.map((each) => [each, each] as const);
  const read = (raw: RawOf) => readOneOf(raw(value.id), words);
  return [ownProperty(given.endpoint, "Readings", description, { of: [value.id], read, owner: valueKey(value.id) })];
}
