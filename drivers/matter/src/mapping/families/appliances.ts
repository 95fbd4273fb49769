/**
 * Appliances and other clusters without a standard class. The service is named after the cluster, the property after the attribute.
 * Modes, levels and commands are writable; other attributes are read-only, measurements with units and enumerations as words.
 */
import { readShare } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import {
  type Family,
  flag,
  isNumeric,
  type MatterProperty,
  member,
  own,
  type Place,
  type RawOf,
  rawNumber,
  scaled,
} from "../matter-property.ts";
import { operation } from "./appliance-operation.ts";
import { modes, serviceOf, settings } from "./appliance-settings.ts";

const CLUSTERS = [
  ...["modeSelect", "microwaveOvenControl", "hepaFilterMonitoring", "activatedCarbonFilterMonitoring"],
  ...["waterTankLevelMonitoring", "pumpConfigurationAndControl", "energyEvse", "deviceEnergyManagement"],
  ...["waterHeaterManagement", "mediaPlayback", "closureControl", "serviceArea"],
];
/** Attributes that every cluster has. */
const GLOBAL: ReadonlySet<string> = new Set([
  ...["clusterRevision", "featureMap", "attributeList", "eventList", "acceptedCommandList", "generatedCommandList"],
]);
const MOST = 12;

export const appliances: Family = (endpoint, index) => [
  ...[operation, modes, settings, alarms].flatMap((family) => family(endpoint, index)),
  ...CLUSTERS.filter((cluster) => endpoint.clusters.has(cluster)).flatMap((cluster) =>
    endpoint
      .attributes(cluster)
      .filter((name) => !GLOBAL.has(name) && !NOT_REPORTED.has(`${cluster}.${name}`))
      .flatMap((name) => reported({ endpoint, index }, cluster, name))
      .slice(0, MOST),
  ),
];

function reported(place: Place, cluster: string, name: string): MatterProperty[] {
  const [service, of] = [serviceOf(cluster), [`${cluster}.${name}`]];
  const now = place.endpoint.attribute(cluster, name);
  const measure = MEASURES.get(`${cluster}.${name}`);
  if (measure && isNumeric(now)) {
    const { unit, scale = 1 } = measure;
    const read = (raw: RawOf) => {
      const value = scaled(raw(cluster, name), (number) => number * scale, 3);
      return unit === "%" ? readShare(value, 0, 100) : value;
    };
    return [own(place, service, { property: name, type: "number", unit }, { of, read })];
  }
  const words = WORDS.get(`${cluster}.${name}`);
  if (words && isNumeric(now)) {
    const read = (raw: RawOf): Value | undefined => {
      const number = rawNumber(raw(cluster, name));
      return typeof number === "number" ? (words[number] ?? null) : number;
    };
    return [own(place, service, { property: name, type: "string", values: words.filter(Boolean) }, { of, read })];
  }
  const type = typeOf(now);
  if (!type) return [];
  const read = (raw: RawOf): Value | undefined => {
    const value = raw(cluster, name);
    const plain = typeof value === "bigint" ? rawNumber(value) : value;
    if (plain === undefined) return undefined;
    return typeof plain === type ? (plain as Value) : null;
  };
  return [own(place, service, { property: name, type }, { of, read })];
}

function typeOf(value: unknown): "boolean" | "number" | "string" | undefined {
  const type = typeof value;
  if (type === "bigint") return "number";
  return type === "boolean" || type === "number" || type === "string" ? type : undefined;
}

/** Alarms of appliances, by bitmap member; a set bit is a raised alarm. */
const ALARMS: Readonly<Record<string, readonly string[]>> = {
  refrigeratorAlarm: ["doorOpen"],
  dishwasherAlarm: ["inflowError", "drainError", "doorError", "tempTooLow", "tempTooHigh", "waterLevelError"],
};

const alarms: Family = (endpoint, index) =>
  Object.entries(ALARMS).flatMap(([cluster, names]) => {
    const supported = endpoint.attribute(cluster, "supported");
    return names
      .filter((name) => endpoint.clusters.has(cluster) && member(supported, name) !== false)
      .map((property) =>
        own(
          { endpoint, index },
          serviceOf(cluster),
          { property, type: "boolean" },
          {
            of: [`${cluster}.state`],
            read: (raw) => flag(member(raw(cluster, "state"), property)),
          },
        ),
      );
  });

/** Units of measurements and words of enumerations, by `cluster.attribute`. */

interface Measure {
  readonly unit: string;
  /** Size of one step of the attribute in the unit. */
  readonly scale?: number;
}

const amperes: Measure = { unit: "A", scale: 1 / 1000 };
const watts: Measure = { unit: "W", scale: 1 / 1000 };
const kilowattHours: Measure = { unit: "kWh", scale: 1 / 1_000_000 };
const percent: Measure = { unit: "%" };
const seconds: Measure = { unit: "s" };

function all<T>(cluster: string, attributes: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(attributes).map(([name, what]) => [`${cluster}.${name}`, what]);
}

const MEASURES: ReadonlyMap<string, Measure> = new Map([
  ...all("energyEvse", {
    ...{ circuitCapacity: amperes, minimumChargeCurrent: amperes, maximumChargeCurrent: amperes },
    ...{ maximumDischargeCurrent: amperes, userMaximumChargeCurrent: amperes, stateOfCharge: percent },
    ...{ batteryCapacity: kilowattHours, sessionEnergyCharged: kilowattHours, sessionEnergyDischarged: kilowattHours },
    ...{ sessionDuration: seconds, randomizationDelayWindow: seconds, nextChargeTargetSoC: percent },
    nextChargeRequiredEnergy: kilowattHours,
  }),
  ...all("closureControl", { countdownTime: seconds }),
  ...all("deviceEnergyManagement", { absMinPower: watts, absMaxPower: watts }),
  ...all("waterHeaterManagement", {
    ...{ tankVolume: { unit: "l" }, estimatedHeatRequired: kilowattHours, tankPercentage: percent },
  }),
  ...all("microwaveOvenControl", { cookTime: seconds, maxCookTime: seconds, wattRating: { unit: "W" } }),
  ...all("pumpConfigurationAndControl", {
    ...{ capacity: { unit: "%", scale: 1 / 100 }, speed: { unit: "rpm" }, power: { unit: "W" } },
    ...{ lifetimeRunningHours: { unit: "h" }, lifetimeEnergyConsumed: { unit: "kWh", scale: 1 / 1000 } },
  }),
  ...["hepaFilterMonitoring", "activatedCarbonFilterMonitoring", "waterTankLevelMonitoring"].flatMap((cluster) =>
    all(cluster, { condition: percent }),
  ),
]);

const OPERATION_MODES = ["normal", "minimum", "maximum", "local"];
const [SPEED, PRESSURE, FLOW] = ["constantSpeed", "constantPressure", "constantFlow"];
/** An empty word stands for an unused number. */
const CONTROL_MODES = [SPEED, PRESSURE, "proportionalPressure", FLOW, "", "constantTemperature", "", "automatic"];

/** Words by number. */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ...all("energyEvse", {
    state: [
      ...["notPluggedIn", "pluggedInNoDemand", "pluggedInDemand", "pluggedInCharging", "pluggedInDischarging"],
      ...["sessionEnding", "fault"],
    ],
    supplyState: [
      "disabled",
      "chargingEnabled",
      "dischargingEnabled",
      "disabledError",
      "disabledDiagnostics",
      "enabled",
    ],
    faultState: [
      ...["noError", "meterFailure", "overVoltage", "underVoltage", "overCurrent", "contactWetFailure"],
      ...["contactDryFailure", "groundFault", "powerLoss", "powerQuality", "pilotShortCircuit", "emergencyStop"],
      ...["evDisconnected", "wrongPowerSupply", "liveNeutralSwap", "overTemperature"],
    ],
  }),
  ...all("deviceEnergyManagement", {
    esaState: ["offline", "online", "fault", "powerAdjustActive", "paused"],
    optOutState: ["noOptOut", "localOptOut", "gridOptOut", "optOut"],
  }),
  ...all("waterHeaterManagement", { boostState: ["inactive", "active"] }),
  ...all("pumpConfigurationAndControl", {
    ...{ operationMode: OPERATION_MODES, effectiveOperationMode: OPERATION_MODES },
    ...{ controlMode: CONTROL_MODES, effectiveControlMode: CONTROL_MODES },
  }),
  ...all("closureControl", {
    mainState: [
      ...["stopped", "moving", "waitingForMotion", "error", "calibrating", "protected", "disengaged", "setupRequired"],
    ],
  }),
  ...["hepaFilterMonitoring", "activatedCarbonFilterMonitoring", "waterTankLevelMonitoring"].flatMap((cluster) =>
    all(cluster, { changeIndication: ["ok", "warning", "critical"] }),
  ),
]);

const LIMITS = ["Pressure", "Speed", "Flow", "ConstPressure", "CompPressure", "ConstSpeed", "ConstFlow", "ConstTemp"];

/**
 * Attributes without a property: covered elsewhere or of no use to people, such as limits of a pump, times in seconds, and areas by
 * number.
 */
const NOT_REPORTED: ReadonlySet<string> = new Set([
  ...["currentMode", "standardNamespace", "startUpMode", "onMode"].map((name) => `modeSelect.${name}`),
  ...LIMITS.flatMap((name) => [`pumpConfigurationAndControl.min${name}`, `pumpConfigurationAndControl.max${name}`]),
  ...["hepaFilterMonitoring", "activatedCarbonFilterMonitoring", "waterTankLevelMonitoring"].flatMap((cluster) => [
    `${cluster}.degradationDirection`,
    `${cluster}.lastChangedTime`,
  ]),
  ...["chargingEnabledUntil", "dischargingEnabledUntil", "nextChargeStartTime", "nextChargeTargetTime"].map(
    (name) => `energyEvse.${name}`,
  ),
  ...["minPower", "maxPower", "powerStep", "selectedWattIndex"].map((name) => `microwaveOvenControl.${name}`),
  ...["serviceArea.currentArea", "serviceArea.estimatedEndTime", "deviceEnergyManagement.esaType"],
]);
