/** What a controller's commands and writes ask of the hub, as tables. */
import type { Value } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import type { Attributes } from "../parts/part.ts";
import { Example, type Service } from "./shown-as.fixture.ts";

type Values = Readonly<Record<string, Value>>;

const LAMP: readonly Service[] = [["Switch"], ["LightLevel"], ["LightColor"], ["LightTemperature"]];
const ON = { "Switch.on": true, "LightLevel.level": 50 };
const OFF = { "Switch.on": false, "LightLevel.level": 50 };
const ALSO_WHEN_OFF = { optionsMask: { executeIfOff: true }, optionsOverride: { executeIfOff: true } };

describe("a command asks the hub for", () => {
  test.each<[string, readonly Service[], Values, Attributes, readonly string[] | string]>([
    ["onOff.on", [["Switch"]], {}, {}, ["Switch:0.on = true"]],
    // Also when it is on by what is known: the hub decides whether that is so.
    ["onOff.on", [["Switch"]], { "Switch.on": true }, {}, ["Switch:0.on = true"]],
    ["onOff.toggle", [["Switch"]], { "Switch.on": true }, {}, ["Switch:0.on = false"]],
    ["onOff.offWithEffect", [["Switch"]], {}, { effectIdentifier: 0 }, ["Switch:0.on = false"]],
    ["onOff.onWithTimedOff", [["Switch"]], {}, { onTime: 10 }, "unsupported"],
    ["onOff.on", [["LightLevel"]], { "LightLevel.level": 0 }, {}, ["LightLevel:0.level = 100"]],
    ["onOff.on", [["LightLevel"]], { "LightLevel.level": 30 }, {}, []],
    ["onOff.off", [["LightLevel"]], { "LightLevel.level": 30 }, {}, ["LightLevel:0.level = 0"]],
    ["levelControl.moveToLevel", LAMP, ON, { level: 254 }, ["LightLevel:0.level = 100"]],
    ["levelControl.moveToLevel", LAMP, OFF, { level: 254 }, []],
    ["levelControl.moveToLevel", LAMP, OFF, { level: 127, ...ALSO_WHEN_OFF }, ["LightLevel:0.level = 50"]],
    [
      "levelControl.moveToLevelWithOnOff",
      LAMP,
      OFF,
      { level: 64 },
      ["LightLevel:0.level = 25.2", "Switch:0.on = true"],
    ],
    ["levelControl.moveToLevelWithOnOff", LAMP, ON, { level: 0 }, ["Switch:0.on = false"]],
    ["levelControl.step", LAMP, ON, { stepMode: 1, stepSize: 27 }, ["LightLevel:0.level = 39.4"]],
    ["levelControl.stepWithOnOff", LAMP, ON, { stepMode: 1, stepSize: 200 }, ["Switch:0.on = false"]],
    ["levelControl.moveWithOnOff", LAMP, ON, { moveMode: 0, rate: 10 }, ["LightLevel:0.level = 100"]],
    ["levelControl.stop", LAMP, ON, {}, []],
    [
      "colorControl.moveToColorTemperature",
      LAMP,
      ON,
      { colorTemperatureMireds: 250 },
      ["LightTemperature:0.kelvin = 4000"],
    ],
    ["colorControl.moveToColorTemperature", LAMP, OFF, { colorTemperatureMireds: 250 }, []],
    [
      "colorControl.moveToColorTemperature",
      LAMP,
      ON,
      { colorTemperatureMireds: 9 },
      ["LightTemperature:0.kelvin = 10000"],
    ],
    ["colorControl.moveToHue", LAMP, ON, { hue: 127 }, ["LightColor:0.hue = 180"]],
    [
      "colorControl.moveToHueAndSaturation",
      LAMP,
      ON,
      { hue: 0, saturation: 254 },
      ["LightColor:0.hue = 0", "LightColor:0.saturation = 100"],
    ],
    // The green that screens have.
    [
      "colorControl.moveToColor",
      LAMP,
      ON,
      { colorX: Math.round(0.3 * 65_536), colorY: Math.round(0.6 * 65_536) },
      ["LightColor:0.hue = 120", "LightColor:0.saturation = 100"],
    ],
    ["colorControl.moveHue", LAMP, ON, { moveMode: 1, rate: 5 }, "unsupported"],
    ["colorControl.moveHue", LAMP, ON, { moveMode: 0, rate: 0 }, []],
    ["windowCovering.upOrOpen", [["Cover"]], {}, {}, ["Cover:0.position = 100"]],
    ["windowCovering.downOrClose", [["Cover"]], {}, {}, ["Cover:0.position = 0"]],
    ["windowCovering.goToLiftPercentage", [["Cover"]], {}, { liftPercent100thsValue: 2500 }, ["Cover:0.position = 75"]],
    [
      "windowCovering.goToLiftPercentage",
      [["Cover", { target: {} }]],
      {},
      { liftPercent100thsValue: 2500 },
      ["Cover:0.target = 75"],
    ],
    [
      "windowCovering.stopMotion",
      [["Cover"]],
      { "Cover.position": 40, "Cover.movement": "opening" },
      {},
      ["Cover:0.position = 40"],
    ],
    ["windowCovering.stopMotion", [["Cover"]], { "Cover.position": 40, "Cover.movement": "stopped" }, {}, []],
    ["windowCovering.stopMotion", [["Cover"]], { "Cover.movement": "opening" }, {}, "unsupported"],
    ["doorLock.lockDoor", [["Lock"]], {}, {}, ["Lock:0.locked = true"]],
    ["doorLock.unlockDoor", [["Lock"]], {}, {}, ["Lock:0.locked = false"]],
    [
      "thermostat.setpointRaiseLower",
      [["Thermostat"]],
      { "Thermostat.target": 20 },
      { mode: 0, amount: 15 },
      ["Thermostat:0.target = 21.5"],
    ],
    ["thermostat.setpointRaiseLower", [["Thermostat"]], {}, { mode: 0, amount: 15 }, "constraint"],
    ["valveConfigurationAndControl.open", [["Valve"]], {}, { openDuration: null }, ["Valve:0.open = true"]],
    ["valveConfigurationAndControl.open", [["Valve"]], {}, { openDuration: 60 }, "constraint"],
    ["valveConfigurationAndControl.close", [["Valve"]], {}, {}, ["Valve:0.open = false"]],
  ])("%s of %j at %j with %j: %j", (command, services, values, fields, asked) => {
    const [cluster = "", name = ""] = command.split(".");
    expect(new Example(services, values).asks(cluster, name, fields)).toEqual(asked);
  });
});

describe("the write of an attribute asks the hub for", () => {
  const heater: readonly Service[] = [["Thermostat", { mode: { values: ["off", "heat"] } }]];
  test.each<[string, readonly Service[], unknown, readonly string[] | string]>([
    ["thermostat.occupiedHeatingSetpoint", heater, 2150, ["Thermostat:0.target = 21.5"]],
    [
      "thermostat.occupiedHeatingSetpoint",
      [["Thermostat", { target: { step: 1 } }]],
      2149,
      ["Thermostat:0.target = 21"],
    ],
    ["thermostat.systemMode", heater, 0, ["Thermostat:0.mode = off"]],
    ["thermostat.systemMode", heater, 3, "constraint"],
    ["fanControl.percentSetting", [["Fan"]], 40, ["Fan:0.speed = 40", "Fan:0.on = true"]],
    ["fanControl.percentSetting", [["Fan"]], 0, ["Fan:0.on = false"]],
    ["fanControl.fanMode", [["Fan"]], 1, ["Fan:0.speed = 33", "Fan:0.on = true"]],
    ["fanControl.fanMode", [["Fan"]], 5, "constraint"],
    ["onOff.startUpOnOff", [["Switch"]], 1, "constraint"],
    ["onOff.startUpOnOff", [["Switch", { startUp: {} }]], null, ["Switch:0.startUp = previous"]],
    ["onOff.onTime", [["Switch"]], 0, []],
    ["onOff.onTime", [["Switch"]], 100, "constraint"],
    ["levelControl.onLevel", [["LightLevel"]], 128, "constraint"],
    ["levelControl.options", [["LightLevel"]], { executeIfOff: true }, "constraint"],
    ["windowCovering.mode", [["Cover"]], { maintenanceMode: true }, "constraint"],
  ])("%s of %j as %j: %j", (attribute, services, value, asked) => {
    const [cluster = "", name = ""] = attribute.split(".");
    expect(new Example(services).writes(cluster, name, value)).toEqual(asked);
  });
});

describe("a value is also an event", () => {
  test.each<[string, Value, string]>([
    ["press", "press", "initialPress shortRelease multiPressComplete"],
    ["double", "double", "initialPress shortRelease initialPress multiPressOngoing shortRelease multiPressComplete"],
    ["long", "long", "initialPress longPress longRelease"],
    ["release, which was reported with the press", "release", ""],
  ])("of a button: %s", (_what, word, events) => {
    expect(new Example([["Button"]]).happens("switch", "Button.event", word).join(" ")).toBe(events);
  });

  test("of a button that knows one word only", () => {
    const button = new Example([["Button", { event: { values: ["press"] } }]]);
    expect(button.happens("switch", "Button.event", "press")).toEqual(["initialPress", "shortRelease"]);
    expect(button.parts[0]?.clusters[0]?.features).toEqual(["MomentarySwitch", "MomentarySwitchRelease"]);
  });

  test("of a lock, and of an alarm when it begins", () => {
    const lock = new Example([["Lock"]]);
    expect(lock.happens("doorLock", "Lock.locked", true)).toEqual(["lockOperation"]);
    expect(lock.happens("doorLock", "Lock.jammed", true)).toEqual(["doorLockAlarm"]);
    const alarm = new Example([["Smoke"], ["CarbonMonoxide"]]);
    expect(alarm.happens("smokeCoAlarm", "Smoke.detected", true)).toEqual(["smokeAlarm"]);
    expect(alarm.happens("smokeCoAlarm", "CarbonMonoxide.detected", true)).toEqual(["coAlarm"]);
    expect(alarm.happens("smokeCoAlarm", "Smoke.detected", false)).toEqual([]);
  });
});
