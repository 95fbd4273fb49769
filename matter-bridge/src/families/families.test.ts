/** What each class of the catalogue is shown as: its device type, its clusters and what they tell, as tables. */
import type { Value } from "@porchlight/shared/model";
import { CATALOGUE } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { Example, type Service } from "./shown-as.fixture.ts";

type Values = Readonly<Record<string, Value>>;

describe("a device is shown as", () => {
  const lamp: readonly Service[] = [["Switch"], ["LightLevel"]];
  test.each<[readonly Service[], string]>([
    [[["Switch"]], "OnOffPlugInUnit"],
    [lamp, "DimmableLight"],
    [[["LightLevel"]], "DimmableLight"],
    [[...lamp, ["LightTemperature"]], "ColorTemperatureLight"],
    [[...lamp, ["LightColor"]], "ExtendedColorLight"],
    [[["Switch:0"], ["Switch:1"]], "OnOffPlugInUnit, OnOffPlugInUnit"],
    [[["Cover"]], "WindowCovering"],
    [[["Lock"]], "DoorLock"],
    [[["Thermostat"], ["Temperature"]], "Thermostat, TemperatureSensor"],
    [[["Fan"]], "Fan"],
    [[["Valve"]], "WaterValve"],
    [[["Temperature"], ["Humidity"], ["Pressure"]], "TemperatureSensor, HumiditySensor, PressureSensor"],
    [[["Illuminance"], ["Motion"]], "OccupancySensor, LightSensor"],
    [[["Occupancy"]], "OccupancySensor"],
    [[["Contact"]], "ContactSensor"],
    [[["WaterLeak"]], "WaterLeakDetector"],
    [[["Smoke"], ["CarbonMonoxide"]], "SmokeCoAlarm"],
    [[["AirQuality"]], "AirQualitySensor"],
    [[["Button"]], "GenericSwitch"],
    [[["Electricity"]], "ElectricalSensor"],
    [[["Switch"], ["Electricity"]], "OnOffPlugInUnit, ElectricalSensor"],
    // A battery is part of the device, and there is nothing in Matter for what our own classes say.
    [[["Contact"], ["Battery"]], "ContactSensor"],
    [[["Battery"]], ""],
    [[["Identify"], ["Signal"], ["Tamper"]], ""],
    // What cannot be set is no lamp, plug or lock.
    [[["Switch", { on: { access: ["read"] } }]], ""],
    [[["Lock", { locked: { access: ["read"] } }]], ""],
  ])("%j: %s", (services, types) => {
    expect(new Example(services).parts.map(({ type }) => type.name).join(", ")).toBe(types);
  });

  test("something for every class of the catalogue, but those that Matter has no word for", () => {
    const without = [...CATALOGUE.keys()].filter((service) => {
      const { parts, battery, identify } = new Example([[service]]).shownAs;
      return parts.length === 0 && !battery && !identify;
    });
    expect(without).toEqual(["LightColor", "LightTemperature", "Tamper", "Signal"]);
  });
});

describe("a value is reported as", () => {
  test.each<[string, readonly Service[], Values, object]>([
    ["onOff", [["Switch"]], { "Switch.on": true }, { onOff: true, startUpOnOff: null }],
    ["onOff", [["Switch"]], {}, { onOff: false }],
    ["onOff", [["LightLevel"]], { "LightLevel.level": 3 }, { onOff: true }],
    ["onOff", [["Switch", { startUp: {} }]], { "Switch.startUp": "toggle" }, { startUpOnOff: 2 }],
    ["levelControl", [["LightLevel"]], { "LightLevel.level": 50 }, { currentLevel: 127, minLevel: 1, maxLevel: 254 }],
    ["levelControl", [["LightLevel"]], { "LightLevel.level": 0 }, { currentLevel: 1 }],
    ["levelControl", [["LightLevel"]], {}, { currentLevel: null }],
    ["windowCovering", [["Cover"]], { "Cover.position": 75 }, position(2500, 2500, 0)],
    ["windowCovering", [["Cover"]], { "Cover.position": 75, "Cover.movement": "closing" }, position(2500, 10_000, 2)],
    [
      "windowCovering",
      [["Cover", { target: {} }]],
      { "Cover.position": 10, "Cover.movement": "opening", "Cover.target": 40 },
      position(9000, 6000, 1),
    ],
    ["windowCovering", [["Cover"]], {}, position(null, null, 0)],
    ["doorLock", [["Lock"]], { "Lock.locked": true }, { lockState: 1 }],
    ["doorLock", [["Lock"]], { "Lock.locked": false }, { lockState: 2 }],
    ["doorLock", [["Lock"]], { "Lock.locked": true, "Lock.jammed": true }, { lockState: 0 }],
    ["doorLock", [["Lock"]], {}, { lockState: null }],
    ["temperatureMeasurement", [["Temperature"]], { "Temperature.celsius": -3.456 }, { measuredValue: -346 }],
    ["temperatureMeasurement", [["Temperature"]], {}, { measuredValue: null }],
    ["relativeHumidityMeasurement", [["Humidity"]], { "Humidity.percent": 55.5 }, { measuredValue: 5550 }],
    ["pressureMeasurement", [["Pressure"]], { "Pressure.hectopascal": 1013.4 }, { measuredValue: 1013 }],
    ["illuminanceMeasurement", [["Illuminance"]], { "Illuminance.lux": 100 }, { measuredValue: 20_001 }],
    ["illuminanceMeasurement", [["Illuminance"]], { "Illuminance.lux": 0 }, { measuredValue: 0 }],
    ["booleanState", [["Contact"]], { "Contact.open": true }, { stateValue: false }],
    ["booleanState", [["WaterLeak"]], { "WaterLeak.detected": true }, { stateValue: true }],
    ["occupancySensing", [["Motion"]], { "Motion.detected": true }, { occupancy: { occupied: true } }],
    ["smokeCoAlarm", [["Smoke"]], { "Smoke.detected": true }, { smokeState: 2, expressedState: 1 }],
    [
      "smokeCoAlarm",
      [["Smoke"], ["CarbonMonoxide"]],
      { "CarbonMonoxide.detected": true },
      { smokeState: 0, coState: 2, expressedState: 2 },
    ],
    ["airQuality", [["AirQuality"]], { "AirQuality.co2": 1200, "AirQuality.pm25": 4 }, { airQuality: 3 }],
    ["airQuality", [["AirQuality"]], {}, { airQuality: 0 }],
    ["fanControl", [["Fan"]], { "Fan.on": true, "Fan.speed": 40 }, { fanMode: 2, percentSetting: 40 }],
    ["fanControl", [["Fan"]], { "Fan.on": false, "Fan.speed": 40 }, { fanMode: 0, percentCurrent: 0 }],
    ["valveConfigurationAndControl", [["Valve"]], { "Valve.open": true }, { currentState: 1 }],
    ["electricalPowerMeasurement", [["Electricity"]], { "Electricity.watts": 12.5 }, { activePower: 12_500 }],
    [
      "electricalEnergyMeasurement",
      [["Electricity"]],
      { "Electricity.energy": 1.5 },
      { cumulativeEnergyImported: { energy: 1_500_000 } },
    ],
    [
      "thermostat",
      [["Thermostat"], ["Temperature"]],
      {
        "Thermostat.target": 21.5,
        "Thermostat.mode": "heat",
        "Temperature.celsius": 19,
        "Thermostat.activity": "heating",
      },
      {
        ...{ localTemperature: 1900, systemMode: 4, occupiedHeatingSetpoint: 2150, occupiedCoolingSetpoint: 2150 },
        thermostatRunningState: { heat: true, cool: false },
      },
    ],
    // One that has no mode heats.
    ["thermostat", [["Thermostat", { mode: null }]], { "Thermostat.target": 21 }, { systemMode: 4 }],
  ])("%s of %j with %j", (cluster, services, values, reported) => {
    expect(new Example(services, values).attributes(cluster)).toMatchObject(reported);
  });

  test("a battery, of the device as a whole", () => {
    const { shownAs, values } = new Example([["Battery"]], { "Battery.percent": 45.5, "Battery.low": true });
    expect(shownAs.battery?.attributes(values)).toMatchObject({ batPercentRemaining: 91, batChargeLevel: 1 });
  });

  test("the colour that was reported last, in both of Matter's words for it", () => {
    const services: Service[] = [["Switch"], ["LightLevel"], ["LightColor"], ["LightTemperature"]];
    const colour = { "LightColor.hue": 120, "LightColor.saturation": 100 };
    const inColour = new Example(services, { "LightTemperature.kelvin": 2700, ...colour }).attributes("colorControl");
    expect(inColour).toMatchObject({
      colorMode: 0,
      currentHue: 85,
      currentSaturation: 254,
      colorTemperatureMireds: 370,
    });
    expect(Number(inColour.currentX) / 65_536).toBeCloseTo(0.3, 2);
    expect(Number(inColour.currentY) / 65_536).toBeCloseTo(0.6, 2);
    const inWhite = new Example(services, { ...colour, "LightTemperature.kelvin": 2700 }).attributes("colorControl");
    expect(inWhite).toMatchObject({ colorMode: 2, enhancedColorMode: 2 });
  });
});

function position(now: number | null, target: number | null, lift: number) {
  return {
    currentPositionLiftPercent100ths: now,
    targetPositionLiftPercent100ths: target,
    operationalStatus: { global: lift, lift },
  };
}
