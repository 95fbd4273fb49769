/** The Notification class: states such as motion, smoke and open doors; what has no class of ours is a word under `Readings`. */
import type { Value } from "@porchlight/shared/model";
import type { NodeValue } from "../values/node-state.ts";
import type { RawOf } from "../values/node-values.ts";
import { storable } from "../values/storable.ts";
import {
  type ClassValues,
  classProperty,
  type Mapped,
  ownProperty,
  propertyName,
  rawNumber,
  type ZwaveProperty,
} from "./zwave-property.ts";

interface Meaning {
  readonly type: string;
  readonly variable: string;
  readonly service: string;
  readonly property: string;
  /** States that mean yes; every other known one means no. */
  readonly yes: readonly number[];
}

/** By the names of Z-Wave JS for type and variable. */
const MEANINGS: readonly Meaning[] = [
  { type: "Smoke Alarm", variable: "Sensor status", service: "Smoke", property: "detected", yes: [1, 2] },
  { type: "CO Alarm", variable: "Sensor status", service: "CarbonMonoxide", property: "detected", yes: [1, 2] },
  { type: "Water Alarm", variable: "Sensor status", service: "WaterLeak", property: "detected", yes: [1, 2] },
  { type: "Access Control", variable: "Door state", service: "Contact", property: "open", yes: [22] },
  { type: "Access Control", variable: "Door state (simple)", service: "Contact", property: "open", yes: [22] },
  { type: "Access Control", variable: "Lock state", service: "Lock", property: "jammed", yes: [11] },
  { type: "Home Security", variable: "Motion sensor status", service: "Motion", property: "detected", yes: [7, 8] },
  { type: "Home Security", variable: "Cover status", service: "Tamper", property: "detected", yes: [3] },
];

/** What a value of the class means; alarm type and level are the old form of the same. */
export function notification({ endpoint, values }: ClassValues): Mapped {
  const states = values.filter(({ id }) => id.propertyKey !== undefined);
  const properties = states.flatMap((value) => stateProperty(endpoint, value));
  return { properties: [...properties, ...(states.length > 0 || hasOldAlarm(values) ? [happened(endpoint)] : [])] };
}

function hasOldAlarm(values: readonly NodeValue[]): boolean {
  return values.some(({ id }) => id.property === "alarmType");
}

function stateProperty(endpoint: number, value: NodeValue): ZwaveProperty[] {
  const { id, metadata } = value;
  const meaning = MEANINGS.find(({ type, variable }) => type === id.property && variable === id.propertyKey);
  if (meaning) {
    const read = (raw: RawOf): Value | undefined => {
      const now = rawNumber(raw(id));
      return now === undefined ? undefined : meaning.yes.includes(now);
    };
    return classProperty(endpoint, meaning.service, meaning.property, { of: [id], read });
  }
  const words = wordsOf(metadata.states ?? {});
  if (words.size === 0) return [];
  const property = propertyName(`${id.property} ${id.propertyKey}`);
  const description = { property, type: "string" as const, values: [...words.values()] };
  const read = (raw: RawOf): Value | undefined => {
    const now = rawNumber(raw(id));
    // 0 is "nothing happens" also where the device has not listed it.
    return now === undefined ? undefined : (words.get(now) ?? null);
  };
  return [ownProperty(endpoint, "Readings", description, { of: [id], read })];
}

/** States by their numbers, each as a word of its own. */
function wordsOf(states: Readonly<Record<string, string>>): ReadonlyMap<number, string> {
  const words = new Map<number, string>();
  for (const [key, label] of Object.entries(states)) {
    const word = propertyName(label);
    words.set(Number(key), [...words.values()].includes(word) ? `${word.slice(0, 58)}${key}` : word);
  }
  return words;
}

/** Where notifications are told that are no state: an unlocking by a code, say. */
export const NOTIFIED = { service: "Notifications", property: "event" } as const;

function happened(endpoint: number): ZwaveProperty {
  const description = { property: NOTIFIED.property, type: "string" as const };
  return ownProperty(endpoint, NOTIFIED.service, description, {
    of: [],
    read: () => undefined,
    event: (raw) => (typeof raw === "string" ? storable(raw.slice(0, 256)) : undefined),
  });
}
