/** Thermostat. Temperatures are hundredths of a degree Celsius. */
import type { Value } from "@porchlight/shared/model";
import {
  celsius,
  type Family,
  type MatterProperty,
  member,
  own,
  type Place,
  type RawOf,
  rawNumber,
  standard,
} from "../matter-property.ts";

const CLUSTER = "thermostat";
const MODES = { off: 0, auto: 1, cool: 3, heat: 4 } as const;
/** Limits of a standard thermostat, °C. */
const [LOWEST, HIGHEST] = [5, 35];
type Side = "Heating" | "Cooling";

export const climate: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(CLUSTER)) return [];
  const features = endpoint.features(CLUSTER);
  const place = { endpoint, index };
  const sides = (["Heating", "Cooling"] as const).filter((side) => features.has(side.toLowerCase()));
  return [
    ...mode(place, sides, features.has("autoMode")),
    ...target(place, sides),
    ...setpoints(place, sides).map((side) => setpoint(place, side)),
    ...activity(place),
    ...standard(place, "Temperature", "celsius", {
      of: [`${CLUSTER}.localTemperature`],
      read: (raw) => celsius(raw(CLUSTER, "localTemperature")),
    }),
  ];
};

function mode(place: Place, sides: readonly Side[], hasAuto: boolean): MatterProperty[] {
  const values = [
    "off",
    ...(sides.includes("Heating") ? ["heat"] : []),
    ...(sides.includes("Cooling") ? ["cool"] : []),
    ...(hasAuto ? ["auto"] : []),
  ];
  const parts = {
    of: [`${CLUSTER}.systemMode`],
    read: (raw: RawOf) => modeOf(raw),
    set: (value: Value) => write("systemMode", MODES[value as keyof typeof MODES], value),
  };
  return standard(place, "Thermostat", "mode", parts, { values });
}

/** A mode without a word in the catalogue, such as emergency heating, is `null`. */
function modeOf(raw: RawOf): Value | undefined {
  const number = rawNumber(raw(CLUSTER, "systemMode"));
  if (typeof number !== "number") return number;
  return Object.entries(MODES).find(([, each]) => each === number)?.[0] ?? null;
}

/** Target of the only side, or of the side of the current mode. */
function target(place: Place, sides: readonly Side[]): MatterProperty[] {
  const [only] = sides;
  if (!only) return [];
  const sideNow = (raw: RawOf): Side | undefined => {
    if (sides.length === 1) return only;
    const now = modeOf(raw);
    return now === "heat" ? "Heating" : now === "cool" ? "Cooling" : undefined;
  };
  const parts = {
    of: [
      ...sides.map((side) => `${CLUSTER}.${attributeOf(side)}`),
      ...(sides.length > 1 ? [`${CLUSTER}.systemMode`] : []),
    ],
    read: (raw: RawOf) => {
      const side = sideNow(raw);
      return side ? celsius(raw(CLUSTER, attributeOf(side))) : null;
    },
    set: (value: Value, raw: RawOf) => {
      const side = sideNow(raw);
      if (!side) throw new Error("In this mode the thermostat has two setpoints: set Setpoints.heating or .cooling.");
      return setting(side, Number(value));
    },
  };
  const { min, max } = targetLimits(place, sides);
  return min < max ? standard(place, "Thermostat", "target", parts, { min, max }) : [];
}

/** Limits of the target: those of the device within those of a standard thermostat. */
function targetLimits(place: Place, sides: readonly Side[]): { readonly min: number; readonly max: number } {
  const limits = sides.map((side) => limitsOf(place, side));
  return {
    min: Math.max(LOWEST, Math.min(...limits.map(({ min }) => min))),
    max: Math.min(HIGHEST, Math.max(...limits.map(({ max }) => max))),
  };
}

/**
 * Sides that get a setpoint of their own: both of two; a single one only when its range exceeds that of room heating, such as a water
 * heater's.
 */
function setpoints(place: Place, sides: readonly Side[]): readonly Side[] {
  const isBeyond = sides.some((side) => limitsOf(place, side).min >= HIGHEST || limitsOf(place, side).max > HIGHEST);
  return sides.length > 1 || isBeyond ? sides : [];
}

function setpoint(place: Place, side: Side): MatterProperty {
  const property = side.toLowerCase();
  return own(
    place,
    "Setpoints",
    { property, type: "number", unit: "°C", ...limitsOf(place, side) },
    {
      of: [`${CLUSTER}.${attributeOf(side)}`],
      read: (raw) => celsius(raw(CLUSTER, attributeOf(side))),
      set: (value) => setting(side, Number(value)),
    },
  );
}

function limitsOf({ endpoint }: Place, side: Side): { readonly min: number; readonly max: number } {
  const word = side === "Heating" ? "Heat" : "Cool";
  const limit = (which: "Min" | "Max") => {
    const names = [`${which.toLowerCase()}${word}SetpointLimit`, `abs${which}${word}SetpointLimit`];
    return names.map((name) => celsius(endpoint.attribute(CLUSTER, name))).find((each) => typeof each === "number");
  };
  return { min: limit("Min") ?? LOWEST, max: limit("Max") ?? HIGHEST };
}

function activity(place: Place): MatterProperty[] {
  const attribute = "thermostatRunningState";
  if (place.endpoint.attribute(CLUSTER, attribute) === undefined) return [];
  return standard(place, "Thermostat", "activity", {
    of: [`${CLUSTER}.${attribute}`],
    read: (raw) => {
      const state = raw(CLUSTER, attribute);
      if (typeof state !== "object" || state === null) return state === undefined ? undefined : null;
      if (member(state, "heat") === true || member(state, "heatStage2") === true) return "heating";
      return member(state, "cool") === true || member(state, "coolStage2") === true ? "cooling" : "idle";
    },
  });
}

function attributeOf(side: Side): string {
  return `occupied${side}Setpoint`;
}

function setting(side: Side, degrees: number) {
  return write(attributeOf(side), Math.round(degrees * 100), Math.round(degrees * 100) / 100);
}

function write(attribute: string, value: number, now: Value) {
  return { send: { write: { cluster: CLUSTER, attribute, value } }, now };
}
