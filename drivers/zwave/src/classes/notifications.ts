/**
 * The Notification class: states such as motion, smoke and open doors. A state without a class of the catalogue becomes a word under
 * `Readings`.
 */
import { readEither, readOneOf } from "@porchlight/driver-kit";
import { type NodeValue, type RawOf, valueKey } from "../values/node-state.ts";
import {
  type ClassValues,
  classProperty,
  type Mapped,
  ownProperty,
  propertyName,
  storable,
  type ZwaveProperty,
} from "./zwave-property.ts";

interface Meaning {
  readonly type: string;
  readonly variable: string;
  readonly service: string;
  readonly property: string;
  /** States for true and states for false; any other state is no value. */
  readonly yes: readonly number[];
  readonly no: readonly number[];
}

const IDLE = [0];
/** Alarms with and without a location. */
const ALARM = { variable: "Sensor status", property: "detected", yes: [1, 2], no: IDLE };
/** 5632 and 5633 are state 22 with its parameter: open, and open in tilt position. */
const DOOR = { type: "Access Control", service: "Contact", property: "open" };

/** By the type and variable names of Z-Wave JS. When a node has several entries for one property, the first counts. */
const MEANINGS: readonly Meaning[] = [
  { ...ALARM, type: "Smoke Alarm", service: "Smoke" },
  { ...ALARM, type: "CO Alarm", service: "CarbonMonoxide" },
  { ...ALARM, type: "Water Alarm", service: "WaterLeak" },
  { ...DOOR, variable: "Door state", yes: [22, 5632, 5633], no: [23] },
  { ...DOOR, variable: "Door state (simple)", yes: [22, 5632, 5633], no: [23] },
  { ...DOOR, variable: "Opening state", yes: [1, 2], no: [0] },
  { type: "Access Control", variable: "Lock state", service: "Lock", property: "jammed", yes: [11], no: IDLE },
  {
    ...{ type: "Home Security", variable: "Motion sensor status", service: "Motion", property: "detected" },
    ...{ yes: [7, 8], no: IDLE },
  },
  {
    ...{ type: "Home Security", variable: "Cover status", service: "Tamper", property: "detected" },
    ...{ yes: [3], no: IDLE },
  },
];
/** Variables whose words contain more than open or closed. */
const WITH_WORDS: ReadonlySet<string> = new Set(["Opening state"]);

/** Properties of the class; alarm type and alarm level are its older form. */
export function notification({ endpoint, values }: ClassValues): Mapped {
  const states = values.filter(({ id }) => id.propertyKey !== undefined);
  const meant = MEANINGS.flatMap((meaning) => states.flatMap((value) => meantProperty(endpoint, value, meaning)));
  const worded = states.flatMap((value) => wordedProperty(endpoint, value));
  const isHeard = states.length > 0 || hasOldAlarm(values);
  return { properties: [...meant, ...worded, ...(isHeard ? [happened(endpoint)] : [])] };
}

function hasOldAlarm(values: readonly NodeValue[]): boolean {
  return values.some(({ id }) => id.property === "alarmType");
}

function meantProperty(endpoint: number, { id }: NodeValue, meaning: Meaning): ZwaveProperty[] {
  const { type, variable, service, property, yes, no } = meaning;
  if (type !== id.property || variable !== id.propertyKey) return [];
  return classProperty(endpoint, service, property, { of: [id], read: (raw) => readEither(raw(id), yes, no) });
}

/** The state as a word, when it contains more than the property of the catalogue. */
function wordedProperty(endpoint: number, { id, metadata }: NodeValue): ZwaveProperty[] {
  const isMeant = MEANINGS.some(({ type, variable }) => type === id.property && variable === id.propertyKey);
  if (isMeant && !WITH_WORDS.has(String(id.propertyKey))) return [];
  const words = wordsOf(metadata.states ?? {});
  if (words.size === 0) return [];
  const property = propertyName(`${id.property} ${id.propertyKey}`);
  const description = { property, type: "string" as const, values: [...words.values()] };
  // 0 means idle, even where the device does not list it.
  const read = (raw: RawOf) => readOneOf(raw(id), [...words]);
  return [ownProperty(endpoint, "Readings", description, { of: [id], read, owner: valueKey(id) })];
}

/** States by number, each with a unique word. */
function wordsOf(states: Readonly<Record<string, string>>): ReadonlyMap<number, string> {
  const words = new Map<number, string>();
  for (const [key, label] of Object.entries(states)) {
    const word = propertyName(label);
    words.set(Number(key), [...words.values()].includes(word) ? `${word.slice(0, 58)}${key}` : word);
  }
  return words;
}

/** Property for notifications without a state, such as unlocking by a code. */
export const NOTIFIED = { service: "Notifications", property: "event" } as const;

function happened(endpoint: number): ZwaveProperty {
  const description = { property: NOTIFIED.property, type: "string" as const };
  return ownProperty(endpoint, NOTIFIED.service, description, {
    of: [],
    read: () => undefined,
    event: (raw) => (typeof raw === "string" ? storable(raw.slice(0, 256)) : undefined),
  });
}
