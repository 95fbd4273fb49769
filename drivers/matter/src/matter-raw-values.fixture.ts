/** Spellings of values, and of none, as Matter devices send them: of each family some, for the judge. */
import { addressIn } from "@porchlight/driver-kit/contract/address-in.fixture.ts";
import type { RawCase, RawKind, RawValues } from "@porchlight/driver-kit/judge/world.suite.ts";
import type { Value } from "@porchlight/shared/model";
import type { FakeNode } from "./fake-matter.fixture.ts";
import type { GivenEndpoint } from "./mapping/endpoint.fixture.ts";

/** The endpoint with clusters of every family. */
const RAW = 9;

export const RAW_ENDPOINT: Readonly<Record<number, GivenEndpoint>> = {
  [RAW]: {
    types: [0x010d, 0x0043],
    clusters: {
      levelControl: { currentLevel: 127, minLevel: 1 },
      colorControl: {
        featureMap: ["hueSaturation", "colorTemperature"],
        ...{ currentHue: 127, currentSaturation: 127, colorTemperatureMireds: 250, colorMode: 0 },
      },
      windowCovering: {
        featureMap: ["lift", "positionAwareLift"],
        ...{ currentPositionLiftPercent100ths: 6000, targetPositionLiftPercent100ths: 6000 },
        operationalStatus: { global: 0 },
      },
      doorLock: { featureMap: ["doorPositionSensor"], lockState: 1, doorState: 0 },
      valveConfigurationAndControl: { currentState: 1 },
      thermostat: {
        featureMap: ["heating"],
        ...{
          systemMode: 4,
          occupiedHeatingSetpoint: 2150,
          localTemperature: 2000,
          thermostatRunningState: { heat: true },
        },
      },
      fanControl: { fanMode: 2, percentSetting: 50, percentCurrent: 50 },
      relativeHumidityMeasurement: { measuredValue: 4000 },
      illuminanceMeasurement: { measuredValue: 20_001 },
      occupancySensing: { occupancy: { occupied: true } },
      booleanState: { stateValue: true },
      smokeCoAlarm: { featureMap: ["smokeAlarm", "coAlarm"], smokeState: 0, coState: 2 },
      carbonDioxideConcentrationMeasurement: { measuredValue: 600, measurementUnit: 0 },
      powerSource: { featureMap: ["battery"], batPercentRemaining: 160, batChargeLevel: 0, batVoltage: 3000 },
      electricalPowerMeasurement: { activePower: 5000, voltage: 230_000 },
      electricalEnergyMeasurement: { cumulativeEnergyImported: { energy: 1_000_000 } },
    },
  },
};

/** Kind, cluster and attribute, what it is then, the property, its value before, and what it is then. */
type Row = readonly [RawKind, string, unknown, string, Value, Value];

const MODE = "colorControl.colorMode";
const ROWS: readonly Row[] = [
  ["no value", "levelControl.currentLevel", null, "LightLevel:9.level", 50, null],
  ["no value", "windowCovering.currentPositionLiftPercent100ths", null, "Cover:9.position", 40, null],
  ["no value", "windowCovering.operationalStatus", null, "Cover:9.movement", "stopped", null],
  ["no value", "doorLock.lockState", null, "Lock:9.locked", true, null],
  ["no value", "thermostat.localTemperature", null, "Temperature:9.celsius", 20, null],
  ["no value", "thermostat.thermostatRunningState", null, "Thermostat:9.activity", "heating", null],
  ["no value", "occupancySensing.occupancy", null, "Occupancy:9.occupied", true, null],
  ["no value", "booleanState.stateValue", null, "WaterLeak:9.detected", true, null],
  ["no value", "electricalPowerMeasurement.activePower", null, "Electricity:9.watts", 5, null],
  ["no value", "electricalEnergyMeasurement.cumulativeEnergyImported", null, "Electricity:9.energy", 1, null],
  ["no value", MODE, 2, "LightColor:9.hue", 180, null],
  [
    "member left out",
    "electricalEnergyMeasurement.cumulativeEnergyImported",
    { energy: 2e6 },
    "Electricity:9.energy",
    1,
    2,
  ],
  ["word for no value", "booleanState.stateValue", "unknown", "WaterLeak:9.detected", true, null],
  ["not a number", "electricalPowerMeasurement.voltage", Number.NaN, "Electricity:9.volts", 230, null],
  ["not a number", "carbonDioxideConcentrationMeasurement.measuredValue", Number.NaN, "AirQuality:9.co2", 600, null],
  ["protocol marker", "levelControl.currentLevel", 255, "LightLevel:9.level", 50, null],
  ["protocol marker", "colorControl.currentHue", 255, "LightColor:9.hue", 180, null],
  ["protocol marker", "windowCovering.currentPositionLiftPercent100ths", 65_535, "Cover:9.position", 40, null],
  ["protocol marker", "thermostat.localTemperature", -32_768, "Temperature:9.celsius", 20, null],
  ["protocol marker", "relativeHumidityMeasurement.measuredValue", 65_535, "Humidity:9.percent", 40, null],
  ["protocol marker", "illuminanceMeasurement.measuredValue", 65_535, "Illuminance:9.lux", 100, null],
  ["protocol marker", "powerSource.batPercentRemaining", 255, "Battery:9.percent", 80, null],
  ["protocol marker", "powerSource.batVoltage", 0, "Battery:9.volts", 3, null],
  ["protocol marker", "electricalPowerMeasurement.activePower", -(2n ** 63n), "Electricity:9.watts", 5, null],
  ["protocol marker", "carbonDioxideConcentrationMeasurement.measurementUnit", 77, "AirQuality:9.co2", 600, null],
  ["protocol marker", "carbonDioxideConcentrationMeasurement.measurementUnit", 1, "AirQuality:9.co2", 600, 0.6],
  ["excess of rounding", "windowCovering.currentPositionLiftPercent100ths", 10_040, "Cover:9.position", 40, 0],
  ["excess of rounding", "powerSource.batPercentRemaining", 201, "Battery:9.percent", 80, 100],
  ["share out of range", "windowCovering.currentPositionLiftPercent100ths", 20_000, "Cover:9.position", 40, null],
  ["share out of range", "windowCovering.targetPositionLiftPercent100ths", -3000, "Cover:9.target", 40, null],
  ["share out of range", "fanControl.percentSetting", 130, "Fan:9.speed", 50, null],
  ["share out of range", "levelControl.currentLevel", 0, "LightLevel:9.level", 50, null],
  ["measured out of range", "relativeHumidityMeasurement.measuredValue", 10_420, "Humidity:9.percent", 40, 104.2],
  ["measured out of range", "electricalPowerMeasurement.activePower", -9000, "Electricity:9.watts", 5, -9],
  ["unlisted word", "doorLock.lockState", 0, "Lock:9.locked", true, null],
  ["unlisted word", "doorLock.lockState", 77, "Lock:9.locked", true, null],
  ["unlisted word", "doorLock.doorState", 77, "Contact:9.open", true, null],
  ["unlisted word", "smokeCoAlarm.smokeState", 77, "Smoke:9.detected", false, null],
  ["unlisted word", "smokeCoAlarm.coState", 254, "CarbonMonoxide:9.detected", true, null],
  ["unlisted word", "powerSource.batChargeLevel", 9, "Battery:9.low", false, null],
  ["unlisted word", "fanControl.fanMode", 77, "Fan:9.on", true, null],
  ["unlisted word", "valveConfigurationAndControl.currentState", 77, "Valve:9.open", true, null],
  ["unlisted word", "thermostat.systemMode", 77, "Thermostat:9.mode", "heat", null],
  ["unlisted word", "windowCovering.operationalStatus", { global: 9 }, "Cover:9.movement", "stopped", null],
  ["unlisted word", MODE, 77, "LightColor:9.saturation", 50, null],
];

export function matterRawValues(node: FakeNode): RawValues {
  const cannot = { "number as text": "attributes have types on the wire" };
  return { cases: ROWS.map((row) => rawCase(row, node)), cannot };
}

function rawCase([kind, path, raw, address, before, value]: Row, node: FakeNode): RawCase {
  const [cluster = "", attribute = ""] = path.split(".");
  const good = RAW_ENDPOINT[RAW]?.clusters[cluster]?.[attribute];
  const other = path === "fanControl.percentSetting" ? raw : undefined;
  return {
    ...{ kind, before, value, raw: `${path} ${String(raw)}`, property: addressIn(address) },
    sendBefore: () => {
      if (other !== undefined) node.say(RAW, cluster, "percentCurrent", other);
      for (const name of Object.keys(RAW_ENDPOINT[RAW]?.clusters[cluster] ?? {}))
        if (name !== "featureMap" && name !== "percentCurrent")
          node.say(RAW, cluster, name, name === attribute ? good : RAW_ENDPOINT[RAW]?.clusters[cluster]?.[name]);
    },
    send: () => node.say(RAW, cluster, attribute, raw),
  };
}
