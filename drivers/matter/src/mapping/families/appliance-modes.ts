/** Modes: a cluster lists the device's modes with labels for people. The labels become the values of a writable property. */
import type { Value } from "@porchlight/shared/model";
import {
  type Family,
  type MatterProperty,
  member,
  own,
  type Place,
  type RawOf,
  type Refusal,
  rawNumber,
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
