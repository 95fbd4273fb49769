/** `Thermostat`, with the temperature of its index; the hub's single target serves as both Matter setpoints. */
import type { DescribedProperty } from "@porchlight/shared/model";
import {
  type Asked,
  type Attributes,
  DEVICE_TYPES,
  type Part,
  type ShownCluster,
  type Unclaimed,
  type Values,
} from "../parts/part.ts";
import { bounded, fitted, numberOf, whole } from "../parts/units.ts";

/** Modes of the hub in Matter's numbers. */
const MODES: Readonly<Record<string, number>> = { off: 0, auto: 1, cool: 3, heat: 4 };
const SEQUENCE = { cooling: 0, heating: 2, both: 4 };
const SETPOINT = { cold: 500, hot: 3500 };
const NOT_KNOWN = 2000;

interface Thermostat {
  readonly mode?: DescribedProperty | undefined;
  readonly target: DescribedProperty;
  readonly activity?: DescribedProperty | undefined;
  readonly measured?: DescribedProperty | undefined;
  readonly words: readonly string[];
}

/** Does not claim the temperature, so that it is also presented as a sensor of its own. */
export function thermostats(unclaimed: Unclaimed): Part[] {
  return unclaimed.indexes("Thermostat").flatMap((index) => {
    const target = unclaimed.settable("Thermostat", index, "target");
    if (!target) return [];
    const mode = unclaimed.look("Thermostat", index, "mode");
    const activity = unclaimed.look("Thermostat", index, "activity");
    const measured = unclaimed.look("Temperature", index, "celsius") ?? unclaimed.look("Temperature", "0", "celsius");
    unclaimed.claim(target, mode, activity);
    const words = (mode?.description.values ?? ["heat"]).map(String).filter((word) => word in MODES);
    const clusters = [thermostatCluster({ mode, target, activity, measured, words })];
    return [{ key: `thermostat:${index}`, type: DEVICE_TYPES.thermostat, hasGroups: false, clusters }];
  });
}

function thermostatCluster(thermostat: Thermostat): ShownCluster {
  const { target } = thermostat;
  const { heats, cools, isAutomatic } = abilities(thermostat);
  const setpoint = (value: unknown): Asked =>
    typeof value === "number" ? [{ key: target.key, value: fitted(value / 100, target) }] : { refused: "constraint" };
  return {
    cluster: "thermostat",
    features: [...(heats ? ["Heating"] : []), ...(cools ? ["Cooling"] : []), ...(isAutomatic ? ["AutoMode"] : [])],
    attributes: (values) => thermostatAttributes(thermostat, values),
    commands: {
      setpointRaiseLower: ({ amount }, values) => {
        const now = numberOf(values, target);
        if (now === undefined || typeof amount !== "number") return { refused: "constraint" };
        return [{ key: target.key, value: fitted(now + amount / 10, target) }];
      },
    },
    writes: {
      ...(heats && { occupiedHeatingSetpoint: setpoint }),
      ...(cools && { occupiedCoolingSetpoint: setpoint }),
      systemMode: (value) => modeAs(thermostat, value),
    },
  };
}

/** A thermostat that lists neither mode counts as heating, because Matter requires one of them. */
function abilities({ words }: Thermostat) {
  const cools = words.includes("cool");
  const heats = words.includes("heat") || !cools;
  return { heats, cools, isAutomatic: heats && cools && words.includes("auto") };
}

function thermostatAttributes(thermostat: Thermostat, values: Values): Attributes {
  const { target, measured } = thermostat;
  const { heats, cools, isAutomatic } = abilities(thermostat);
  const { min = SETPOINT.cold / 100, max = SETPOINT.hot / 100 } = target.description;
  const range = { least: Math.round(min * 100), most: Math.round(max * 100) };
  const now = bounded(
    whole(hundredths(numberOf(values, target)), range.least, range.most) ?? NOT_KNOWN,
    range.least,
    range.most,
  );
  return {
    localTemperature: whole(hundredths(numberOf(values, measured)), -27_315, 32_767),
    controlSequenceOfOperation: heats && cools ? SEQUENCE.both : heats ? SEQUENCE.heating : SEQUENCE.cooling,
    systemMode: systemModeOf(thermostat, values),
    ...(heats && {
      absMinHeatSetpointLimit: range.least,
      absMaxHeatSetpointLimit: range.most,
      minHeatSetpointLimit: range.least,
      maxHeatSetpointLimit: range.most,
      occupiedHeatingSetpoint: now,
    }),
    ...(cools && {
      absMinCoolSetpointLimit: range.least,
      absMaxCoolSetpointLimit: range.most,
      minCoolSetpointLimit: range.least,
      maxCoolSetpointLimit: range.most,
      occupiedCoolingSetpoint: now,
    }),
    ...(isAutomatic && { minSetpointDeadBand: 0 }),
    ...(thermostat.activity && { thermostatRunningState: runningOf(thermostat.activity, values) }),
  };
}

function systemModeOf(thermostat: Thermostat, values: Values): number {
  const { mode } = thermostat;
  const { heats, isAutomatic } = abilities(thermostat);
  const constant = heats ? "heat" : "cool";
  const stated = mode ? String(values.value(mode.key) ?? "off") : constant;
  // Matter's automatic mode requires both heating and cooling.
  const word = stated === "auto" && !isAutomatic ? constant : stated;
  return MODES[word] ?? MODES.off ?? 0;
}

function runningOf(activity: DescribedProperty, values: Values): Attributes {
  const doing = values.value(activity.key);
  return { heat: doing === "heating", cool: doing === "cooling" };
}

function modeAs({ mode, words }: Thermostat, value: unknown): Asked {
  const [word] = Object.entries(MODES).find(([, code]) => code === value) ?? [];
  if (word === undefined || !words.includes(word)) return { refused: "constraint" };
  if (!mode) return [];
  return mode.writable ? [{ key: mode.key, value: word }] : { refused: "constraint" };
}

function hundredths(celsius: number | undefined): number | undefined {
  return celsius === undefined ? undefined : celsius * 100;
}
