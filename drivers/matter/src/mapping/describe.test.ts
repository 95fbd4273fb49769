import type { Value } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { describeEndpoints } from "./describe.ts";
import { type Attributes, endpoint, type FakeEndpoint } from "./endpoint.fixture.ts";
import type { MatterProperty, RawOf } from "./matter-property.ts";

type Clusters = Readonly<Record<string, Attributes>>;

function properties(clusters: Clusters, types: readonly number[] = []): [Map<string, MatterProperty>, FakeEndpoint] {
  const one = endpoint(1, { clusters, types });
  const all = describeEndpoints([{ endpoint: one, index: "1" }]);
  return [new Map(all.map((each) => [`${each.address.service}.${each.address.property}`, each])), one];
}

const rawOf =
  (one: FakeEndpoint): RawOf =>
  (cluster, attribute) =>
    one.attribute(cluster, attribute);

function read(clusters: Clusters, name: string, types: readonly number[] = []): Value | undefined {
  const [all, one] = properties(clusters, types);
  return all.get(name)?.read(rawOf(one));
}

describe("what a device reports is read as", () => {
  const level = (currentLevel: unknown) => ({ levelControl: { currentLevel, minLevel: 1 } });
  const lamp = (more: Attributes) => ({
    colorControl: {
      featureMap: ["hueSaturation", "colorTemperature", "xy"],
      ...{ currentHue: 127, currentSaturation: 254, colorTemperatureMireds: 250, ...more },
    },
  });
  const source = (more: Attributes) => ({ powerSource: { featureMap: ["battery"], ...more } });
  test.for<[string, Clusters, Value | undefined, (readonly number[])?]>([
    ["Switch.on", { onOff: { onOff: true } }, true],
    ["Switch.on", { onOff: { onOff: "half" } }, null],
    ["Switch.on", { onOff: {} }, undefined],
    ["Switch.startUp", { onOff: { onOff: true, startUpOnOff: null } }, "previous"],
    ["Switch.startUp", { onOff: { onOff: true, startUpOnOff: 2 } }, "toggle"],
    ["LightLevel.level", level(254), 100],
    ["LightLevel.level", level(127), 50],
    ["LightLevel.level", level(1), 0.4],
    ["LightLevel.level", level(null), null],
    ["Speaker.volume", level(127), 50, [0x22]],
    ["LightColor.hue", { colorControl: { featureMap: ["hueSaturation"], currentHue: 127 } }, 180],
    ["LightColor.saturation", { colorControl: { featureMap: ["hueSaturation"], currentSaturation: 254 } }, 100],
    [
      "LightColor.hue",
      { colorControl: { featureMap: ["hueSaturation", "enhancedHue"], enhancedCurrentHue: 32_768 } },
      180,
    ],
    [
      "LightTemperature.kelvin",
      { colorControl: { featureMap: ["colorTemperature"], colorTemperatureMireds: 250 } },
      4000,
    ],
    [
      "LightTemperature.kelvin",
      { colorControl: { featureMap: ["colorTemperature"], colorTemperatureMireds: 0 } },
      null,
    ],
    ["Cover.position", cover({ currentPositionLiftPercent100ths: 0 }), 100],
    ["Cover.position", cover({ currentPositionLiftPercent100ths: 10_000 }), 0],
    ["Cover.position", cover({ currentPositionLiftPercent100ths: null }), null],
    ["Cover.target", cover({ targetPositionLiftPercent100ths: 7500 }), 25],
    ["Cover.movement", cover({ operationalStatus: { global: 1 } }), "opening"],
    ["Cover.movement", cover({ operationalStatus: { global: 2 } }), "closing"],
    ["Cover.movement", cover({ operationalStatus: { global: 0 } }), "stopped"],
    ["Lock.locked", { doorLock: { lockState: 1 } }, true],
    ["Lock.locked", { doorLock: { lockState: 2 } }, false],
    ["Lock.locked", { doorLock: { lockState: 0 } }, null],
    ["Lock.locked", { doorLock: { lockState: 3 } }, false],
    ["Lock.locked", { doorLock: { lockState: 77 } }, null],
    ["Lock.locked", { doorLock: { lockState: null } }, null],
    ["Contact.open", { doorLock: { lockState: 1, featureMap: ["doorPositionSensor"], doorState: 1 } }, false],
    ["Valve.open", { valveConfigurationAndControl: { currentState: 1 } }, true],
    ["Valve.open", { valveConfigurationAndControl: { currentState: 2 } }, null],
    ["Thermostat.mode", thermostat({ systemMode: 4 }), "heat"],
    ["Thermostat.mode", thermostat({ systemMode: 5 }), null],
    ["Thermostat.target", thermostat({ occupiedHeatingSetpoint: 2150 }), 21.5],
    ["Thermostat.activity", thermostat({ thermostatRunningState: { heat: true } }), "heating"],
    ["Thermostat.activity", thermostat({ thermostatRunningState: {} }), "idle"],
    ["Temperature.celsius", thermostat({ localTemperature: 1999 }), 19.99],
    ["Fan.on", { fanControl: { fanMode: 0 } }, false],
    ["Fan.on", { fanControl: { fanMode: 5 } }, true],
    ["Fan.speed", { fanControl: { percentSetting: null, percentCurrent: 33 } }, 33],
    ["Temperature.celsius", { temperatureMeasurement: { measuredValue: -550 } }, -5.5],
    ["Temperature.celsius", { temperatureMeasurement: { measuredValue: null } }, null],
    ["Humidity.percent", { relativeHumidityMeasurement: { measuredValue: 4567 } }, 45.67],
    ["Pressure.hectopascal", { pressureMeasurement: { measuredValue: 1013 } }, 1013],
    ["Illuminance.lux", { illuminanceMeasurement: { measuredValue: 20_001 } }, 100],
    ["Illuminance.lux", { illuminanceMeasurement: { measuredValue: 0 } }, 0],
    ["Readings.flow", { flowMeasurement: { measuredValue: 12 } }, 1.2],
    ["Occupancy.occupied", { occupancySensing: { occupancy: { occupied: true } } }, true],
    ["Contact.open", { booleanState: { stateValue: true } }, false, [0x15]],
    ["WaterLeak.detected", { booleanState: { stateValue: true } }, true, [0x43]],
    ["Readings.rain", { booleanState: { stateValue: false } }, false, [0x44]],
    ["Readings.state", { booleanState: { stateValue: true } }, true],
    ["Smoke.detected", { smokeCoAlarm: { featureMap: ["smokeAlarm"], smokeState: 2 } }, true],
    ["CarbonMonoxide.detected", { smokeCoAlarm: { featureMap: ["coAlarm"], coState: 0 } }, false],
    ["AirQuality.co2", air("carbonDioxide", 415.5, 0), 415.5],
    ["Readings.co2", air("carbonDioxide", 415.5, 3), 415.5],
    ["AirQuality.pm25", air("pm25", 12, 4), 12],
    ["Readings.airQuality", { airQuality: { airQuality: 4 } }, "poor"],
    ["Battery.percent", source({ batPercentRemaining: 151 }), 75.5],
    ["Battery.low", source({ batChargeLevel: 1 }), true],
    ["Battery.volts", source({ batVoltage: 2987 }), 2.99],
    ["Electricity.watts", { electricalPowerMeasurement: { activePower: 12_345 } }, 12.3],
    ["Electricity.energy", { electricalEnergyMeasurement: { cumulativeEnergyImported: { energy: 1_234_567 } } }, 1.235],
    ["Electricity.energy", { electricalEnergyMeasurement: { cumulativeEnergyImported: null } }, null],
    ["Identify.active", { identify: { identifyTime: 3 } }, true],
    ["Readings.position", { switch: { featureMap: ["latchingSwitch"], currentPosition: 1 } }, 1],
    ["LightLevel.level", level(254), undefined, [0x0100]],
    ["Pump.setpoint", level(100), 50, [0x0303]],
    ["Pump.setpoint", level(254), 100, [0x0303]],
    ["Fan.speed", { fanControl: { percentSetting: null, percentCurrent: 255 } }, null],
    ["Battery.low", source({}), undefined],
    ["Battery.volts", source({ batVoltage: 0 }), null],
    ["Electricity.volts", { electricalPowerMeasurement: { rmsVoltage: 120_000 } }, 120],
    ["Electricity.volts", { electricalPowerMeasurement: { voltage: 119_000, rmsVoltage: 120_000 } }, 119],
    ["Electricity.watts", { cluster$130afc01: { attr$130a000a: 13.399_999 } }, 13.4],
    ["Pressure.hectopascal", { cluster$130afc01: { attr$130a0014: 1008.5 } }, 1008.5],
    ["Electricity.watts", { cluster$b04: { attr$50b: 560, attr$604: 1, attr$605: 8 } }, 70],
    ["Electricity.volts", { cluster$b04: { attr$505: 230, attr$600: 0 } }, 230],
    ["Thermostat.activity", thermostat({ thermostatRunningState: null }), null],
    ["Temperature.celsius", thermostat({ localTemperature: -32_768 }), null],
    ["Temperature.celsius", { temperatureMeasurement: { measuredValue: -32_768 } }, null],
    ["Humidity.percent", { relativeHumidityMeasurement: { measuredValue: 65_535 } }, null],
    ["Illuminance.lux", { illuminanceMeasurement: { measuredValue: 65_535 } }, null],
    ["Smoke.detected", { smokeCoAlarm: { featureMap: ["smokeAlarm"], smokeState: 77 } }, null],
    ["Battery.low", source({ batChargeLevel: 77 }), null],
    ["Battery.percent", source({ batPercentRemaining: 255 }), null],
    ["Cover.movement", cover({ operationalStatus: { global: 3 } }), null],
    ["Cover.movement", cover({ operationalStatus: null }), null],
    ["Occupancy.occupied", { occupancySensing: { occupancy: null } }, null],
    ["Fan.on", { fanControl: { fanMode: 77 } }, null],
    ["Switch.startUp", { onOff: { onOff: true, startUpOnOff: 77 } }, null],
    ["LightLevel.level", level(255), null],
    ["Electricity.watts", { electricalPowerMeasurement: { activePower: -(2 ** 63) } }, null],
    ["Electricity.watts", { cluster$b04: { attr$50b: -32_768 } }, null],
    ["Electricity.watts", { cluster$b04: { attr$50b: 560, attr$605: null } }, null],
    ["LightColor.hue", lamp({ colorMode: 0 }), 180],
    ["LightColor.hue", lamp({ colorMode: 2 }), null],
    ["LightColor.hue", lamp({ colorMode: 1, currentX: 41_943, currentY: 21_627 }), 0.1],
    ["LightColor.hue", lamp({ colorMode: 2, enhancedColorMode: 3 }), 180],
    ["LightColor.hue", lamp({ colorMode: 77 }), null],
    ["LightColor.hue", lamp({ currentHue: 255 }), null],
    ["LightColor.saturation", lamp({ currentSaturation: 255 }), null],
    ["LightTemperature.kelvin", lamp({ colorMode: 2 }), 4000],
    ["LightTemperature.kelvin", lamp({ colorMode: 0 }), null],
    ["LightTemperature.kelvin", lamp({ colorMode: 2, colorTemperatureMireds: 65_535 }), null],
    ["AirQuality.co2", { carbonDioxideConcentrationMeasurement: { measuredValue: 678 } }, 678],
    ["Readings.voc", { totalVolatileOrganicCompoundsConcentrationMeasurement: { measuredValue: 189 } }, 189],
  ])("%s of %j: %j", ([name, clusters, value, types]) => {
    expect(read(clusters, name, types)).toEqual(value);
  });
});

describe("what is set is sent as", () => {
  const command = (cluster: string, name: string, fields?: object) => ({
    command: { cluster, command: name, ...(fields && { fields: expect.objectContaining(fields) }) },
  });
  const write = (cluster: string, attribute: string, value: unknown) => ({ write: { cluster, attribute, value } });
  test.for<[string, Clusters, Value, object, Value?]>([
    ["Switch.on", { onOff: { onOff: false } }, true, command("onOff", "on")],
    ["Switch.on", { onOff: { onOff: true } }, false, command("onOff", "off")],
    ["Switch.startUp", { onOff: { onOff: true, startUpOnOff: 0 } }, "previous", write("onOff", "startUpOnOff", null)],
    [
      "LightLevel.level",
      { levelControl: { currentLevel: 1 } },
      50,
      command("levelControl", "moveToLevelWithOnOff", { level: 127 }),
    ],
    ["Cover.target", cover({}), 25, command("windowCovering", "goToLiftPercentage", { liftPercent100thsValue: 7500 })],
    ["Settings.stop", cover({}), true, command("windowCovering", "stopMotion")],
    [
      "Lock.locked",
      { doorLock: { lockState: 2 } },
      true,
      { command: expect.objectContaining({ command: "lockDoor", timed: true }) },
    ],
    [
      "Lock.locked",
      { doorLock: { lockState: 1 } },
      false,
      { command: expect.objectContaining({ command: "unlockDoor", timed: true }) },
    ],
    [
      "Valve.open",
      { valveConfigurationAndControl: { currentState: 1 } },
      false,
      command("valveConfigurationAndControl", "close"),
    ],
    ["Thermostat.mode", thermostat({ systemMode: 0 }), "heat", write("thermostat", "systemMode", 4)],
    ["Thermostat.target", thermostat({ systemMode: 4 }), 21.55, write("thermostat", "occupiedHeatingSetpoint", 2155)],
    ["Fan.speed", { fanControl: { fanMode: 1 } }, 40, write("fanControl", "percentSetting", 40)],
    ["Fan.on", { fanControl: { fanMode: 1 } }, false, write("fanControl", "fanMode", 0)],
    ["Lock.locked", BOLTED, false, { command: expect.objectContaining({ command: "unboltDoor", timed: true }) }],
    ["Settings.unlatch", BOLTED, true, { command: expect.objectContaining({ command: "unlockDoor", timed: true }) }],
    ["Identify.active", { identify: { identifyTime: 0 } }, true, command("identify", "identify", { identifyTime: 30 })],
    [
      "LightColor.hue",
      { colorControl: { featureMap: ["hueSaturation"] } },
      180,
      command("colorControl", "moveToHue", { hue: 127, direction: 0 }),
    ],
    [
      "LightTemperature.kelvin",
      { colorControl: { featureMap: ["colorTemperature"] } },
      3000,
      command("colorControl", "moveToColorTemperature", { colorTemperatureMireds: 333 }),
    ],
  ])("%s of %j to %j", ([name, clusters, value, send]) => {
    const [all, one] = properties(clusters);
    expect(all.get(name)?.set?.(value, rawOf(one)).send).toEqual(send);
  });

  test("a colour of a lamp that knows points only, by both of its parts", () => {
    const xy = {
      colorControl: { featureMap: ["xy"], currentX: Math.round(0.64 * 65_536), currentY: Math.round(0.33 * 65_536) },
    };
    const [all, one] = properties(xy);
    expect(all.get("LightColor.hue")?.read(rawOf(one))).toBeCloseTo(0, 0);
    const { send } = all.get("LightColor.hue")?.set?.(120, rawOf(one)) ?? {};
    expect(send).toMatchObject({ command: { command: "moveToColor", fields: { colorX: expect.closeTo(19_661, -3) } } });
  });
});

const BOLTED: Clusters = { doorLock: { lockState: 1, featureMap: ["unbolting"] } };

test("what can only be read is not offered to be set, and limits are the device's", () => {
  const [all] = properties({ ...thermostat({ minHeatSetpointLimit: 700, maxHeatSetpointLimit: 2800 }), ...cover({}) });
  expect(all.get("Thermostat.target")?.description).toMatchObject({ min: 7, max: 28 });
  expect(all.get("Cover.position")?.description.access).toEqual(["read", "notify"]);
  const [kelvin] = properties({
    colorControl: {
      featureMap: ["colorTemperature"],
      colorTempPhysicalMinMireds: 153,
      colorTempPhysicalMaxMireds: 500,
    },
  });
  expect(kelvin.get("LightTemperature.kelvin")?.description).toMatchObject({ min: 2000, max: 6536 });
  expect(properties({ levelControl: { minLevel: 26 } })[0].get("LightLevel.level")?.description.min).toBe(11);
});

test("a thermostat that heats and cools has both setpoints, and the target of its mode", () => {
  const both = {
    featureMap: ["heating", "cooling", "autoMode"],
    occupiedHeatingSetpoint: 2000,
    occupiedCoolingSetpoint: 2500,
  };
  const target = (systemMode: number) => read({ thermostat: { ...both, systemMode } }, "Thermostat.target");
  expect([target(4), target(3), target(1)]).toEqual([20, 25, null]);
  const [all, one] = properties({ thermostat: { ...both, systemMode: 1 } });
  expect(() => all.get("Thermostat.target")?.set?.(21, rawOf(one))).toThrow(/two setpoints/);
  expect([...all.keys()]).toEqual(expect.arrayContaining(["Setpoints.heating", "Setpoints.cooling"]));
});

test("a device is identified by the first endpoint that can be, and has at most 64 services", () => {
  const endpoints = Array.from({ length: 80 }, (_, at) => ({
    endpoint: endpoint(at, { clusters: { identify: { identifyTime: 0 }, onOff: { onOff: false } } }),
    index: String(at),
  }));
  const services = new Set(describeEndpoints(endpoints).map(({ address }) => `${address.service}:${address.index}`));
  expect(services.size).toBe(64);
  expect([...services].filter((each) => each.startsWith("Identify"))).toEqual(["Identify:0"]);
});

test("what can only be switched off is not switched on, and a pump is set in halves of a percent", () => {
  const [all, one] = properties({ onOff: { featureMap: ["offOnly"], onOff: true } });
  expect(() => all.get("Switch.on")?.set?.(true, rawOf(one))).toThrow(/only be switched off/);
  expect(all.get("Switch.on")?.set?.(false, rawOf(one)).send).toEqual(expect.anything());
  const [pump, its] = properties({ levelControl: { currentLevel: 1 } }, [0x0303]);
  const { send, now } = pump.get("Pump.setpoint")?.set?.(40, rawOf(its)) ?? {};
  expect([send, now]).toEqual([
    { command: expect.objectContaining({ fields: expect.objectContaining({ level: 80 }) }) },
    40,
  ]);
});

test("a water heater is hotter than a room: it has a setpoint and no target", () => {
  const [all] = properties(thermostat({ minHeatSetpointLimit: 4000, maxHeatSetpointLimit: 6500 }));
  expect([all.has("Thermostat.target"), all.get("Setpoints.heating")?.description]).toMatchObject([
    false,
    { min: 40, max: 65, access: ["read", "notify", "write"] },
  ]);
});

test("what a device does not report by itself is described without notifications", () => {
  const [all] = properties({ cluster$130afc01: { attr$130a000b: 0.22 } });
  expect(all.get("Electricity.energy")?.description.access).toEqual(["read"]);
});

function cover(more: Attributes): Clusters {
  return { windowCovering: { featureMap: ["lift", "positionAwareLift"], ...more } };
}

function thermostat(more: Attributes): Clusters {
  return { thermostat: { featureMap: ["heating"], ...more } };
}

function air(substance: string, measuredValue: number, measurementUnit: number): Clusters {
  return { [`${substance}ConcentrationMeasurement`]: { measuredValue, measurementUnit } };
}

test("a number that is too large for others is one of ours", () => {
  expect(read({ electricalPowerMeasurement: { activePower: 12_345n } }, "Electricity.watts")).toBe(12.3);
});
