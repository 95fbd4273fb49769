/** Door locks. Codes of keypads are never described: they are secrets of the people who have them. */
import type { Value } from "@porchlight/shared/model";
import {
  type ClassValues,
  classProperty,
  type Mapped,
  namedValue,
  ownProperty,
  type ZwaveProperty,
} from "./zwave-property.ts";

const SECURED = 255;
/** The lock does not know it. */
const UNKNOWN = 254;

export function doorLock(given: ClassValues): Mapped {
  const { endpoint } = given;
  const mode = namedValue(given, "currentMode");
  const target = namedValue(given, "targetMode");
  const door = namedValue(given, "doorStatus");
  const locked = mode
    ? classProperty(endpoint, "Lock", "locked", {
        of: [mode.id],
        read: (raw) => lockedOf(raw(mode.id)),
        set: target && ((value) => ({ at: target.id, value: value === true ? SECURED : 0, now: value === true })),
      })
    : [];
  const contact = door
    ? classProperty(endpoint, "Contact", "open", {
        of: [door.id],
        read: (raw) => oneOf(raw(door.id), "open", "closed"),
      })
    : [];
  const parts = [
    word(given, "boltStatus", "bolt", ["locked", "unlocked"]),
    word(given, "latchStatus", "latch", ["open", "closed"]),
  ];
  return { properties: [...locked, ...contact, ...parts.flat()] };
}

/** What it has when it is only partly locked, such as "inside unsecured", is not locked. */
function lockedOf(mode: unknown): Value | undefined {
  if (typeof mode !== "number") return undefined;
  return mode === UNKNOWN ? null : mode === SECURED;
}

function oneOf(raw: unknown, yes: string, no: string): Value | undefined {
  if (raw === yes) return true;
  return raw === no ? false : undefined;
}

function word(given: ClassValues, of: string, property: string, values: readonly string[]): ZwaveProperty[] {
  const value = namedValue(given, of);
  if (!value) return [];
  const read = (raw: unknown) => (typeof raw === "string" && values.includes(raw) ? raw : undefined);
  const description = { property, type: "string" as const, values };
  return [ownProperty(given.endpoint, "Readings", description, { of: [value.id], read: (raw) => read(raw(value.id)) })];
}
