/** Door locks. Keypad codes are secrets of the people who use them, so they are never described. */
import { readEither, readOneOf } from "@porchlight/driver-kit";
import type { RawOf } from "../values/node-values.ts";
import { valueKey } from "../values/value-id.ts";
import {
  type ClassValues,
  classProperty,
  type Mapped,
  namedValue,
  ownProperty,
  type ZwaveProperty,
} from "./zwave-property.ts";

const SECURED = 255;
/** Unsecured, from the inside, from the outside, each with and without a timeout; a partly locked door counts as unlocked. */
const UNSECURED = [0, 1, 16, 17, 32, 33];

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
