/** Operational State: current state, error, and commands of an appliance. */
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
import { serviceOf } from "./appliance-settings.ts";

type Words = ReadonlyMap<number, string>;

const words = (first: number, ...list: readonly string[]): [number, string][] =>
  list.map((word, at) => [first + at, word]);
/** Standard states of all appliances and of cleaners. A device lists its own states with labels. */
const STATES: Words = new Map([
  ...words(0, "stopped", "running", "paused", "error"),
  ...words(64, "seekingCharger", "charging", "docked", "emptyingDustBin", "cleaningMop", "fillingWaterTank"),
  ...words(70, "updatingMaps"),
]);
const ERRORS: Words = new Map([
  ...words(1, "unableToStartOrResume", "unableToCompleteOperation", "commandInvalidInState"),
  ...words(
    64,
    "failedToFindChargingDock",
    "stuck",
    "dustBinMissing",
    "dustBinFull",
    "waterTankEmpty",
    "waterTankMissing",
  ),
  ...words(
    70,
    "waterTankLidOpen",
    "mopCleaningPadMissing",
    "lowBattery",
    "cannotReachTargetArea",
    "dirtyWaterTankFull",
  ),
  ...words(75, "dirtyWaterTankMissing", "wheelsJammed", "brushJammed", "navigationSensorObscured"),
]);
const COMMANDS: Words = new Map([...words(0, "pause", "stop", "start", "resume"), [128, "goHome"]]);
const CLUSTERS = ["operationalState", "rvcOperationalState", "ovenCavityOperationalState"];

export const operation: Family = (endpoint, index) =>
  CLUSTERS.filter((cluster) => endpoint.clusters.has(cluster)).flatMap((cluster) => [
    ...state({ endpoint, index }, cluster),
    ...phase({ endpoint, index }, cluster),
    ...command({ endpoint, index }, cluster),
  ]);

function state(place: Place, cluster: string): MatterProperty[] {
  const stated = (name: string) => place.endpoint.attribute(cluster, name);
  const service = serviceOf(cluster);
  const states = statesOf(stated("operationalStateList"));
  const read = (raw: RawOf): Value | undefined => {
    const number = rawNumber(raw(cluster, "operationalState"));
    return typeof number === "number" ? (states.get(number) ?? null) : number;
  };
  const described = { property: "operationalState", type: "string" as const, values: [...new Set(states.values())] };
  const now = own(place, service, described, { of: [`${cluster}.operationalState`], read });
  const left = { property: "countdownTime", type: "number" as const, unit: "s" };
  return [
    now,
    own(
      place,
      service,
      { property: "error", type: "string" },
      { of: [`${cluster}.operationalError`], read: errorOf(cluster) },
    ),
    ...(stated("countdownTime") === undefined
      ? []
      : [
          own(place, service, left, {
            of: [`${cluster}.countdownTime`],
            read: (raw) => rawNumber(raw(cluster, "countdownTime")),
          }),
        ]),
  ];
}

/** Words of the specification, and labels for the device's own states. */
function statesOf(list: unknown): Words {
  if (!Array.isArray(list) || list.length === 0) return STATES;
  return new Map(
    list.flatMap((each): [number, string][] => {
      const number = rawNumber(member(each, "operationalStateId"));
      if (typeof number !== "number") return [];
      return [[number, STATES.get(number) ?? String(member(each, "operationalStateLabel") ?? number)]];
    }),
  );
}

/** `null` when there is no error. */
function errorOf(cluster: string): (raw: RawOf) => Value | undefined {
  return (raw) => {
    const error = raw(cluster, "operationalError");
    const number = rawNumber(member(error, "errorStateId"));
    if (typeof number !== "number") return number;
    return number === 0 ? null : wordOf(number, error);
  };
}

function wordOf(number: number, error: unknown): string {
  return ERRORS.get(number) ?? String(member(error, "errorStateLabel") ?? number);
}

/** Refusal in the answer to a command, which has the structure of an error. */
function refusal(answer: unknown): Refusal | undefined {
  const state = member(answer, "commandResponseState");
  const code = rawNumber(member(state, "errorStateId"));
  return typeof code === "number" && code !== 0 ? { code, reason: wordOf(code, state) } : undefined;
}

/** Current phase, for a device with named phases. */
function phase(place: Place, cluster: string): MatterProperty[] {
  const phases = place.endpoint.attribute(cluster, "phaseList");
  if (!Array.isArray(phases) || phases.length === 0) return [];
  const read = (raw: RawOf): Value | undefined => {
    const number = rawNumber(raw(cluster, "currentPhase"));
    return typeof number === "number" ? String(phases[number] ?? number) : number;
  };
  return [
    own(place, serviceOf(cluster), { property: "phase", type: "string" }, { of: [`${cluster}.currentPhase`], read }),
  ];
}

/** A write-only property whose values are the commands that the device accepts. */
function command(place: Place, cluster: string): MatterProperty[] {
  const accepted = place.endpoint.attribute(cluster, "acceptedCommandList");
  const values = (Array.isArray(accepted) ? accepted : []).flatMap((each) => COMMANDS.get(Number(each)) ?? []);
  if (values.length === 0) return [];
  const parts = {
    of: [],
    read: () => undefined,
    set: (value: Value) => ({
      send: { command: { cluster, command: String(value) } },
      now: value,
      isAcceptedOnly: true,
      refusal,
    }),
  };
  return [own(place, serviceOf(cluster), { property: "command", type: "string", values }, parts)];
}
