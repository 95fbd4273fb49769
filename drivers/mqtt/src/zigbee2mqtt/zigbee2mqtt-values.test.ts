/** What values of Zigbee devices are, in every spelling in which zigbee2mqtt and its converters publish them. */
import { describe, expect, test } from "vitest";
import {
  binary,
  brightness,
  colorTemp,
  colour,
  deviceWith,
  dialectWith,
  LAMP,
  lampOf,
  listed,
  numeric,
  reading,
  say,
  selectors,
  state,
  writing,
} from "./described-device.fixture.ts";

const sensor = deviceWith(
  numeric("temperature", { unit: "°C" }),
  numeric("humidity", { unit: "%" }),
  numeric("battery", { unit: "%" }),
  binary("contact", false, true),
  numeric("strength"),
  numeric("illuminance", { unit: "lx" }),
  numeric("pressure", { unit: "hPa" }),
  numeric("voltage", { unit: "mV" }),
  binary("occupancy", "true", "false"),
  binary("water_leak"),
  binary("smoke"),
  binary("tamper"),
  { type: "text", name: "firmware", property: "firmware", access: 1 },
);
const lamp = deviceWith({
  type: "light",
  features: [state, brightness, colorTemp, colour("color_xy", "x", "y"), colour("color_hs", "hue", "saturation")],
});
const lock = deviceWith({
  type: "lock",
  features: [
    binary("state", "LOCK", "UNLOCK", 7),
    {
      ...{ type: "enum", name: "lock_state", property: "lock_state", access: 1 },
      values: ["not_fully_locked", "locked", "unlocked"],
    },
  ],
});

describe("a value of a sensor", () => {
  test.for<[selector: string, message: string, value: unknown]>([
    ["Temperature.celsius", '{"temperature":"21.7"}', 21.7],
    ["Temperature.celsius", '{"humidity":55}', undefined],
    ["Temperature.celsius", '{"temperature":null}', null],
    ["Temperature.celsius", '{"temperature":NaN,"humidity":61}', null],
    ["Humidity.percent", '{"temperature":NaN,"humidity":61}', 61],
    ["Humidity.percent", '{"temperature":-Infinity,"humidity":"61.5"}', 61.5],
    ["Temperature.celsius", '{"temperature":"unavailable"}', null],
    ["Temperature.celsius", '{"temperature":-327.68}', null],
    ["Temperature.celsius", '{"temperature":"-327.68"}', null],
    ["Temperature.celsius", '{"temperature":[21]}', null],
    ["Humidity.percent", '{"humidity":655.35}', null],
    ["Humidity.percent", '{"humidity":104}', 104],
    ["Battery.percent", '{"battery":"80"}', 80],
    ["Battery.percent", '{"battery":255}', null],
    ["Battery.percent", '{"battery":127.5}', null],
    ["Battery.percent", '{"battery":100.4}', 100],
    ["Battery.volts", '{"voltage":25500}', null],
    ["Battery.volts", '{"voltage":"3015"}', 3.015],
    ["Contact.open", '{"contact":"false"}', true],
    ["Contact.open", '{"contact":true}', false],
    ["Contact.open", '{"contact":2}', null],
    ["Occupancy.occupied", '{"occupancy":"true"}', true],
    ["Occupancy.occupied", '{"occupancy":false}', false],
    ["Occupancy.occupied", '{"occupancy":"maybe"}', null],
    ["WaterLeak.detected", '{"water_leak":"unknown"}', null],
    ["Smoke.detected", '{"smoke":254}', null],
    ["Tamper.detected", '{"tamper":null}', null],
    ["Illuminance.lux", '{"illuminance":0}', 0],
    ["Illuminance.lux", '{"illuminance":65535}', null],
    ["Pressure.hectopascal", '{"pressure":-3276.8}', null],
    ["Readings.strength", '{"strength":"45"}', 45],
    ["Readings.strength", '{"strength":"strong"}', null],
    ["Readings.firmware", '{"firmware":"unknown"}', null],
  ])("%s in %s is %j", ([selector, message, value]) => {
    expect(reading(sensor, selector, message)).toBe(value);
  });
});

describe("a value of a lamp", () => {
  const both = '"color":{"hue":120,"saturation":90},"color_temp":250';
  test.for<[selector: string, message: string, value: unknown]>([
    ["LightLevel.level", '{"state":"ON","brightness":255}', 100],
    ["LightLevel.level", '{"state":"on","brightness":null}', null],
    ["LightLevel.level", '{"state":"ON"}', undefined],
    ["LightLevel.level", '{"brightness":65535}', null],
    ["LightLevel.level", '{"brightness":-5}', null],
    ["LightLevel.level", '{"brightness":"127"}', 50],
    ["LightTemperature.kelvin", '{"color_temp":65535}', null],
    ["LightTemperature.kelvin", '{"color_temp":0}', null],
    ["LightTemperature.kelvin", '{"color_temp":"250"}', 4000],
    ["LightColor.hue", '{"color":{"hue":400,"saturation":90}}', null],
    ["LightColor.hue", '{"color":{"hue":"120","saturation":"90"}}', 120],
    ["LightColor.saturation", '{"color":{"x":2,"y":0.3}}', null],
    ["LightColor.hue", '{"color":null}', null],
    ["LightColor.hue", `{${both},"color_mode":"color_temp"}`, null],
    ["LightTemperature.kelvin", `{${both},"color_mode":"color_temp"}`, 4000],
    ["LightColor.hue", `{${both},"color_mode":"xy"}`, 120],
    ["LightColor.saturation", `{${both},"color_mode":"hs"}`, 90],
    ["LightTemperature.kelvin", `{${both},"color_mode":"xy"}`, null],
    ["LightTemperature.kelvin", `{${both},"color_mode":"hs"}`, null],
    ["LightTemperature.kelvin", `{${both}}`, 4000],
    ["LightColor.hue", `{${both}}`, 120],
    ["LightColor.hue", '{"state":"ON","color_mode":"color_temp"}', undefined],
  ])("%s in %s is %j", ([selector, message, value]) => {
    expect(reading(lamp, selector, message)).toBe(value);
  });

  test("has at an endpoint the mode of that endpoint", () => {
    const at = (each: object & { name: string }) => ({ ...each, property: `${each.name}_l1`, endpoint: "l1" });
    const strip = deviceWith({
      ...{ type: "light", endpoint: "l1" },
      features: [at(colorTemp), { ...colour("color_hs", "hue", "saturation"), property: "color_l1", endpoint: "l1" }],
    });
    const message = { color_l1: { hue: 1, saturation: 2 }, color_temp_l1: 250, color_mode_l1: "hs" };
    expect(reading(strip, "LightColor:1.hue", message)).toBe(1);
    expect(reading(strip, "LightTemperature:1.kelvin", message)).toBe(null);
  });
});

test.for<[selector: string, message: object, value: unknown]>([
  ["Lock.locked", { state: "LOCK" }, true],
  ["Lock.locked", { state: "UNLOCK" }, false],
  ["Lock.locked", { state: "UNKNOWN" }, null],
  ["Lock.locked", { state: 254 }, null],
  ["Lock.jammed", { lock_state: "not_fully_locked" }, true],
  ["Lock.jammed", { lock_state: "unlocked" }, false],
  ["Lock.jammed", { lock_state: "not_available" }, null],
])("a lock: %s in %j is %j", ([selector, message, value]) => {
  expect(reading(lock, selector, message)).toBe(value);
});

describe("a cover", () => {
  const position = numeric("position", { access: 7, unit: "%", value_min: 0, value_max: 100 });
  const description = listed([{ type: "cover", features: [position] }]);
  const config = (config: object) => {
    const dialect = dialectWith(description);
    say(dialect, "info", { config });
    return lampOf(dialect);
  };

  test.for<[raw: unknown, value: unknown]>([
    [30, 30],
    ["30", 30],
    [100.3, 100],
    [130, null],
    [-1, null],
    [255, null],
    [null, null],
  ])("at %j is %j % open", ([raw, value]) => {
    expect(reading(lampOf(dialectWith(description)), "Cover.position", { position: raw })).toBe(value);
  });

  test("that is inverted in zigbee2mqtt's settings counts its positions from the open end", () => {
    for (const inverted of [
      config({ devices: { [LAMP]: { invert_cover: true } } }),
      config({ device_options: { invert_cover: true } }),
    ]) {
      expect(reading(inverted, "Cover.position", { position: 30 })).toBe(70);
      expect(writing(inverted, "Cover.position", 70)).toEqual({ position: 30 });
    }
    const own = config({ devices: { [LAMP]: { invert_cover: false } }, device_options: { invert_cover: true } });
    expect(reading(own, "Cover.position", { position: 30 })).toBe(30);
  });
});

describe("a setpoint", () => {
  const climate = (more: object) =>
    deviceWith({
      type: "climate",
      features: [numeric("occupied_heating_setpoint", { access: 7, value_min: 50, value_max: 90, ...more })],
    });

  test("is a target only in a unit that is known", () => {
    expect(selectors(climate({ unit: "°C", value_min: 5, value_max: 30 }))).toEqual(["Thermostat:0.target"]);
    expect(selectors(climate({ unit: "°F" }))).toEqual(["Settings:0.occupiedHeatingSetpoint"]);
    expect(selectors(climate({}))).toEqual(["Settings:0.occupiedHeatingSetpoint"]);
  });

  test("that the device does not have is no value", () => {
    const device = climate({ unit: "°C", value_min: 5, value_max: 30 });
    expect(reading(device, "Thermostat.target", { occupied_heating_setpoint: -327.68 })).toBe(null);
  });
});

test("a word that an enumeration does not have is no value, whether its words are texts or numbers", () => {
  const word = (values: readonly unknown[]) =>
    deviceWith({ type: "enum", name: "mode", property: "mode", access: 7, values });
  expect(reading(word(["eco", "none"]), "Settings.mode", { mode: "none" })).toBe("none");
  expect(reading(word(["eco", "none"]), "Settings.mode", { mode: "turbo" })).toBe(null);
  expect(reading(word([1, 2]), "Settings.mode", { mode: "2" })).toBe(2);
  expect(reading(word([1, 2]), "Settings.mode", { mode: 3 })).toBe(null);
});
