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

export const MEASURES: ReadonlyMap<string, Measure> = new Map([
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
export const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
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
export const NOT_TOLD: ReadonlySet<string> = new Set([
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
