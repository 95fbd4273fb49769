/**
 * Settings for an appliance's next run: its modes, whose labels become the words of a property, and a temperature, or a level from a list.
 */
import type { PropertyDescription, Value } from "@porchlight/shared/model";
import {
  type Family,
  type MatterProperty,
  member,
  own,
  type Place,
  type RawOf,
  type Refusal,
  rawNumber,
  type Setting,
  scaled,
} from "../matter-property.ts";

const CLUSTERS = [
  ...[
    "modeSelect",
    "rvcRunMode",
    "rvcCleanMode",
    "ovenMode",
    "microwaveOvenMode",
    "laundryWasherMode",
    "dishwasherMode",
  ],
  ...[
    "refrigeratorAndTemperatureControlledCabinetMode",
    "energyEvseMode",
    "waterHeaterMode",
    "deviceEnergyManagementMode",
  ],
];
/** The specification's status codes of an answer. */
const STATUSES: Readonly<Record<number, string>> = {
  1: "the mode is not supported",
  2: "it cannot change its mode",
  3: "it cannot change to it from the mode that it is in",
};
/** A microwave oven sets its mode together with the cooking time, so the mode is read-only. */
const READ_ONLY = "microwaveOvenMode";

export const modes: Family = (endpoint, index) =>
  CLUSTERS.filter((cluster) => endpoint.clusters.has(cluster)).flatMap((cluster) => mode({ endpoint, index }, cluster));

function mode(place: Place, cluster: string): MatterProperty[] {
  const now = place.endpoint.attribute(cluster, "currentMode");
  const labels = labelsOf(place.endpoint.attribute(cluster, "supportedModes"));
  if (now === undefined || (now === null && labels.size === 0)) return [];
  const of = [`${cluster}.currentMode`];
  const number = (raw: RawOf) => rawNumber(raw(cluster, "currentMode"));
  const service = serviceOf(cluster);
  if (labels.size === 0)
    return [own(place, service, { property: "currentMode", type: "integer" }, { of, read: number })];
  const read = (raw: RawOf): Value | undefined => {
    const value = number(raw);
    return typeof value === "number" ? (labels.get(value) ?? null) : value;
  };
  const set = (value: Value) => {
    const newMode = [...labels].find(([, label]) => label === value)?.[0];
    if (newMode === undefined) throw new Error("The device does not have this mode.");
    const command = { cluster, command: "changeToMode", fields: { newMode } };
    return { send: { command }, now: value, refusal };
  };
  const described = { property: "currentMode", type: "string" as const, values: [...labels.values()] };
  return [own(place, service, described, { of, read, ...(cluster !== READ_ONLY && { set }) })];
}

/** Refusal in the answer to a change of mode; `ModeSelect` has no answer. */
function refusal(answer: unknown): Refusal | undefined {
  const code = rawNumber(member(answer, "status"));
  if (typeof code !== "number" || code === 0) return undefined;
  const text = String(member(answer, "statusText") ?? "").trim();
  return { code, reason: text || (STATUSES[code] ?? `status ${code}`) };
}

/** Labels by mode number; an empty or repeated label is replaced by the number. */
function labelsOf(supported: unknown): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const each of Array.isArray(supported) ? supported : []) {
    const number = rawNumber(member(each, "mode"));
    if (typeof number !== "number") continue;
    const label = String(member(each, "label") ?? "").trim();
    const isTaken = label === "" || [...found.values()].includes(label);
    found.set(number, isTaken ? `${label} ${number}`.trim() : label);
  }
  return found;
}

/** Name of an appliance's service, from its cluster. */
export function serviceOf(cluster: string): string {
  return `${cluster.charAt(0).toUpperCase()}${cluster.slice(1)}`;
}

const TEMPERATURE = "temperatureControl";
const WASHER = "laundryWasherControls";
const DRYER = "laundryDryerControls";
const RINSES = ["none", "normal", "extra", "max"];
const DRYNESS = ["low", "normal", "extra", "max"];

export const settings: Family = (endpoint, index) => {
  const place = { endpoint, index };
  const write = (cluster: string, attribute: string) => (value: number) => ({ write: { cluster, attribute, value } });
  return [
    ...temperature(place),
    ...chosen(
      place,
      TEMPERATURE,
      "selectedTemperatureLevel",
      textsOf(place, TEMPERATURE, "supportedTemperatureLevels"),
      (level) => ({
        command: { cluster: TEMPERATURE, command: "setTemperature", fields: { targetTemperatureLevel: level } },
      }),
    ),
    ...chosen(
      place,
      WASHER,
      "spinSpeedCurrent",
      textsOf(place, WASHER, "spinSpeeds"),
      write(WASHER, "spinSpeedCurrent"),
    ),
    ...chosen(place, WASHER, "numberOfRinses", RINSES, write(WASHER, "numberOfRinses"), "supportedRinses"),
    ...chosen(
      place,
      DRYER,
      "selectedDrynessLevel",
      DRYNESS,
      write(DRYER, "selectedDrynessLevel"),
      "supportedDrynessLevels",
    ),
  ];
};

/** Target in hundredths of a degree Celsius. */
function temperature(place: Place): MatterProperty[] {
  const stated = (name: string) => scaled(place.endpoint.attribute(TEMPERATURE, name), (value) => value / 100);
  if (!place.endpoint.features(TEMPERATURE).has("temperatureNumber") || stated("temperatureSetpoint") === undefined)
    return [];
  const [min, max, step] = [stated("minTemperature"), stated("maxTemperature"), stated("step")];
  const described: Omit<PropertyDescription, "access"> = {
    property: "temperatureSetpoint",
    ...{ type: "number", unit: "°C" },
    ...(typeof min === "number" && { min }),
    ...(typeof max === "number" && { max }),
    ...(typeof step === "number" && step > 0 && { step }),
  };
  const parts = {
    of: [`${TEMPERATURE}.temperatureSetpoint`],
    read: (raw: RawOf) => scaled(raw(TEMPERATURE, "temperatureSetpoint"), (value) => value / 100),
    set: (value: Value) => {
      const fields = { targetTemperature: Math.round(Number(value) * 100) };
      return {
        send: { command: { cluster: TEMPERATURE, command: "setTemperature", fields } },
        now: value,
        tolerance: 0.005,
      };
    },
  };
  return [own(place, serviceOf(TEMPERATURE), described, parts)];
}

/** A property of words for an attribute with their numbers. @param supported the attribute that lists the device's numbers */
function chosen(
  place: Place,
  cluster: string,
  attribute: string,
  list: readonly string[],
  send: (number: number) => Setting["send"],
  supported?: string,
): MatterProperty[] {
  if (list.length === 0 || place.endpoint.attribute(cluster, attribute) === undefined) return [];
  const numbers = supported === undefined ? undefined : place.endpoint.attribute(cluster, supported);
  // The current number counts as supported, even if the device does not list it.
  const now = place.endpoint.attribute(cluster, attribute);
  const values = list.filter((_, at) => !Array.isArray(numbers) || numbers.includes(at) || at === now);
  const parts = {
    of: [`${cluster}.${attribute}`],
    read: (raw: RawOf): Value | undefined => {
      const number = rawNumber(raw(cluster, attribute));
      return typeof number === "number" ? (list[number] ?? null) : number;
    },
    set: (value: Value) => ({ send: send(list.indexOf(String(value))), now: value }),
  };
  return [own(place, serviceOf(cluster), { property: attribute, type: "string", values }, parts)];
}

function textsOf({ endpoint }: Place, cluster: string, attribute: string): readonly string[] {
  const list = endpoint.attribute(cluster, attribute);
  return Array.isArray(list) ? list.map(String) : [];
}
