/** Thermostats: mode, setpoints, activity and fan of one endpoint, which Z-Wave spreads over five command classes. */
import { fahrenheitOf, type Read, readCelsius, readNumber, temperatureScale } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import { type NodeValue, type RawOf, valueKey } from "../values/node-state.ts";
import {
  type ClassValues,
  classProperty,
  type Mapped,
  namedValue,
  ownProperty,
  propertyName,
  type ZwaveProperty,
} from "./zwave-property.ts";

/** Modes of the catalogue, by number. */
const MODES: Readonly<Record<number, string>> = { 0: "off", 1: "heat", 2: "cool", 3: "auto" };
/** Setpoint of each mode, by number. */
const SETPOINT_OF: Readonly<Record<number, number>> = { 1: 1, 2: 2, 11: 11, 12: 12, 13: 13 };
/** Operating states, by number: heating and cooling by name; pending and fan count as idle. */
const ACTIVITIES: Readonly<Record<number, string>> = {
  ...{ 0: "idle", 1: "heating", 2: "cooling", 3: "idle", 4: "idle", 5: "idle", 6: "idle" },
  ...{ 7: "heating", 8: "heating", 9: "heating", 10: "cooling", 11: "cooling" },
};

/** @param given values of the classes Thermostat Mode, Setpoint, Operating State, Fan Mode and Fan State */
export function thermostatClasses(given: ClassValues): Mapped {
  const mode = namedValue({ values: given.values.filter(({ id }) => id.commandClass === 64) }, "mode");
  const setpoints = given.values.filter(({ id }) => id.commandClass === 67 && id.property === "setpoint");
  return {
    properties: [
      ...(mode ? modeProperties(given.endpoint, mode) : []),
      ...targetProperties(given.endpoint, mode, setpoints),
      ...given.values.flatMap((value) => activity(given.endpoint, value)),
      ...given.values.flatMap((value) => fan(given.endpoint, value)),
    ],
  };
}

function modeProperties(endpoint: number, { id, metadata }: NodeValue): ZwaveProperty[] {
  const states = Object.entries(metadata.states ?? {});
  const known = states.flatMap(([key]) => MODES[Number(key)] ?? []);
  const standard = classProperty(
    endpoint,
    "Thermostat",
    "mode",
    {
      of: [id],
      // `thermostatMode` reports the modes that the catalogue lacks.
      read: (raw) => wordOf(MODES, raw(id)),
      set: (value) => ({ at: id, value: keyOf(MODES, value), now: value }),
    },
    { values: known },
  );
  const hasMore = known.length < states.length;
  return [...(known.length > 0 ? standard : []), ...(hasMore ? [choice(endpoint, "thermostatMode", id, states)] : [])];
}

function targetProperties(
  endpoint: number,
  mode: NodeValue | undefined,
  setpoints: readonly NodeValue[],
): ZwaveProperty[] {
  const [only] = setpoints;
  if (!only) return [];
  const current = (raw: RawOf): NodeValue | undefined => {
    if (setpoints.length === 1) return only;
    const key = mode && SETPOINT_OF[readNumber(raw(mode.id)) ?? -1];
    return setpoints.find(({ id }) => id.propertyKey === key);
  };
  const target = classProperty(
    endpoint,
    "Thermostat",
    "target",
    {
      of: [...(mode && setpoints.length > 1 ? [mode.id] : []), ...setpoints.map(({ id }) => id)],
      polls: (raw) => [(current(raw) ?? only).id],
      read: (raw) => {
        const setpoint = current(raw);
        return setpoint ? celsius(setpoint, raw) : null;
      },
      set: (value, raw) => {
        const setpoint = current(raw);
        if (!setpoint)
          throw new Error("In its present mode the thermostat has no single target: set one under Setpoints.");
        return setpointSetting(setpoint, Number(value));
      },
      tolerance: 0.3,
    },
    limitsOf(setpoints),
  );
  return [...target, ...setpoints.map((each) => ownSetpoint(endpoint, each, setpoints.length > 1))];
}

/** Names of setpoints, by number. */
const SETPOINTS: Readonly<Record<number, string>> = {
  ...{ 1: "heating", 2: "cooling", 7: "furnace", 8: "dryAir", 9: "moistAir", 10: "autoChangeover" },
  ...{ 11: "energySaveHeating", 12: "energySaveCooling", 13: "awayHeating", 14: "awayCooling", 15: "fullPower" },
};

/** @param isOneOfSeveral a single setpoint is the target itself; it keeps its own property if there were several before */
function ownSetpoint(endpoint: number, setpoint: NodeValue, isOneOfSeveral: boolean): ZwaveProperty {
  const property = SETPOINTS[Number(setpoint.id.propertyKey)] ?? `setpoint${setpoint.id.propertyKey}`;
  const limits = limitsOf([setpoint]);
  return ownProperty(
    endpoint,
    "Setpoints",
    { property, type: "number", unit: "°C", ...limits },
    {
      of: [setpoint.id],
      read: (raw) => celsius(setpoint, raw),
      set: (value) => setpointSetting(setpoint, Number(value)),
      tolerance: 0.3,
      ...{ owner: valueKey(setpoint.id), isOnlyIfKept: !isOneOfSeveral },
    },
  );
}

/** @throws Error with a message for people when the scale is uncertain */
function setpointSetting(setpoint: NodeValue, asked: number) {
  const scale = temperatureScale(setpoint.metadata.unit);
  if (scale === undefined) throw new Error("The thermostat does not say whether it measures in °C or °F.");
  const value = scale === "fahrenheit" ? Math.round(fahrenheitOf(asked) * 2) / 2 : Math.round(asked * 10) / 10;
  return { at: setpoint.id, value, now: inCelsius(setpoint, value) ?? null };
}

function celsius(setpoint: NodeValue, raw: RawOf): Read<number> {
  return inCelsius(setpoint, raw(setpoint.id));
}

/** Converts by the scale in the current metadata. */
function inCelsius({ metadata }: NodeValue, value: unknown): Read<number> {
  const now = readCelsius(value, temperatureScale(metadata.unit));
  return typeof now === "number" ? Math.round(now * 10) / 10 : now;
}

/** Limits of the widest setpoint; without reported limits, the catalogue's apply. */
function limitsOf(setpoints: readonly NodeValue[]) {
  const ends = (end: "min" | "max") =>
    setpoints.flatMap((each) => {
      return inCelsius(each, each.metadata[end]) ?? [];
    });
  const [lowest, highest] = [ends("min"), ends("max")];
  const isReported = lowest.length === setpoints.length && highest.length === setpoints.length;
  return isReported ? { min: Math.min(...lowest), max: Math.max(...highest) } : {};
}

function activity(endpoint: number, { id }: NodeValue): ZwaveProperty[] {
  if (id.commandClass !== 66 || id.property !== "state") return [];
  const read = (raw: RawOf) => wordOf(ACTIVITIES, raw(id));
  return classProperty(endpoint, "Thermostat", "activity", { of: [id], polls: () => [id], read });
}

function fan(endpoint: number, { id, metadata }: NodeValue): ZwaveProperty[] {
  const states = Object.entries(metadata.states ?? {});
  if (id.commandClass === 68 && id.property === "mode" && states.length > 0)
    return [choice(endpoint, "fanMode", id, states)];
  if (id.commandClass !== 69 || id.property !== "state" || states.length === 0) return [];
  const { set, ...readOnly } = choiceParts(id, states);
  return [ownProperty(endpoint, "Readings", choiceDescription("fanState", states), readOnly)];
}

type States = readonly (readonly [string, string])[];

/** A property whose values are the device's own words. */
function choice(endpoint: number, property: string, id: NodeValue["id"], states: States): ZwaveProperty {
  return ownProperty(endpoint, "Settings", choiceDescription(property, states), choiceParts(id, states));
}

function choiceDescription(property: string, states: States) {
  return { property, type: "string" as const, values: states.map(([, label]) => propertyName(label)) };
}

function choiceParts(id: NodeValue["id"], states: States) {
  const words = Object.fromEntries(states.map(([key, label]) => [Number(key), propertyName(label)]));
  return {
    of: [id],
    read: (raw: RawOf) => wordOf(words, raw(id)),
    set: (value: Value) => ({ at: id, value: keyOf(words, value), now: value }),
  };
}

/** Word of a number; a number without a word is no value. */
function wordOf(words: Readonly<Record<number, string>>, raw: unknown): Read<string> {
  const number = readNumber(raw);
  return typeof number === "number" ? (words[number] ?? null) : number;
}

/** @throws Error when no number has the word */
function keyOf(words: Readonly<Record<number, string>>, value: Value): number {
  const found = Object.entries(words).find(([, word]) => word === value);
  if (!found) throw new Error("The thermostat has no such mode.");
  return Number(found[0]);
}
