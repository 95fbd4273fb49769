import { describe, expect, test } from "vitest";
import { commandFor, described, deviceWith, propertyAt, read } from "../discovery.fixture.ts";

describe("a thermostat", () => {
  const THERMOSTAT = {
    mode_command_topic: "m/set",
    mode_state_topic: "m",
    modes: ["off", "heat", "auto"],
    temperature_command_topic: "t/set",
    temperature_state_topic: "t",
    current_temperature_topic: "c",
    action_topic: "a",
    temp_step: 0.5,
    name: null,
  };

  test("has the standard modes that it has, its target, and what it does", () => {
    const device = deviceWith("climate", THERMOSTAT);
    expect(described(device)).toEqual({
      "Thermostat:0.mode": "rwn",
      "Thermostat:0.target": "rwn",
      "Thermostat:0.activity": "rn",
      "Temperature:0.celsius": "rn",
    });
    expect(propertyAt(device, "Thermostat.mode").description.values).toEqual(["off", "heat", "auto"]);
    expect(propertyAt(device, "Thermostat.target").description).toMatchObject({ min: 7, max: 35, step: 0.5 });
    expect([read(device, "Thermostat.target", "21.5"), commandFor(device, "Thermostat.target", 21.5)]).toEqual([
      21.5,
      "21.5",
    ]);
    const actions = ["off", "heating", "cooling", "fan", "x"].map((word) => read(device, "Thermostat.activity", word));
    expect(actions).toEqual(["idle", "heating", "cooling", null, null]);
  });

  test("with modes that the catalogue does not have has all of them as a setting too", () => {
    const device = deviceWith("climate", { ...THERMOSTAT, modes: ["off", "cool", "heat_cool", "dry"] });
    expect(propertyAt(device, "Thermostat.mode").description.values).toEqual(["off", "cool", "auto"]);
    expect(["heat_cool", "dry", "cool"].map((word) => read(device, "Thermostat.mode", word))).toEqual([
      "auto",
      null,
      "cool",
    ]);
    expect(commandFor(device, "Thermostat.mode", "auto")).toBe("heat_cool");
    expect([read(device, "Settings.mode", "dry"), commandFor(device, "Settings.mode", "dry")]).toEqual(["dry", "dry"]);
  });

  test("in degrees Fahrenheit is in degrees Celsius, without its steps", () => {
    const range = { temperature_unit: "F", min_temp: 50, max_temp: 86 };
    const device = deviceWith("climate", { ...THERMOSTAT, ...range });
    expect(propertyAt(device, "Thermostat.target").description).toMatchObject({ min: 10, max: 30 });
    expect(propertyAt(device, "Thermostat.target").description.step).toBeUndefined();
    expect([read(device, "Thermostat.target", "68"), commandFor(device, "Thermostat.target", 20)]).toEqual([20, "68"]);
    expect(read(device, "Temperature.celsius", "72.5")).toBe(22.5);
  });

  test("of a wider range than the catalogue's keeps to its own steps within it", () => {
    const device = deviceWith("climate", { ...THERMOSTAT, min_temp: 4.7, max_temp: 60, temp_step: 1 });
    expect(propertyAt(device, "Thermostat.target").description).toMatchObject({ min: 5.7, max: 35 });
  });

  test("of boiling water has no standard target", () => {
    const device = deviceWith("climate", { ...THERMOSTAT, min_temp: 40, max_temp: 90 });
    expect(Object.keys(described(device))).not.toContain("Thermostat:0.target");
    expect(device.leftAside).toEqual({ badOption: 1 });
  });

  test("has all else as settings", () => {
    const device = deviceWith("climate", {
      ...THERMOSTAT,
      fan_mode_command_topic: "f/set",
      swing_mode_command_topic: "s/set",
      swing_mode_state_topic: "s",
      preset_mode_command_topic: "p/set",
      preset_mode_state_topic: "p",
      preset_modes: ["eco"],
      temperature_low_command_topic: "l/set",
      target_humidity_command_topic: "h/set",
      current_humidity_topic: "h",
      power_command_topic: "on/set",
    });
    expect(described(device)).toMatchObject({
      "Humidity:0.percent": "rn",
      "Settings:0.targetHumidity": "w",
      "Settings:0.targetLow": "w",
      "Settings:0.fanMode": "w",
      "Settings:0.swingMode": "rwn",
      "Settings:0.presetMode": "rwn",
      "Settings:0.power": "w",
    });
    expect(propertyAt(device, "Settings.presetMode").description.values).toEqual(["eco", "none"]);
  });
});

test("a humidifier has what it measures as a standard property, and the rest as settings", () => {
  const device = deviceWith("humidifier", {
    command_topic: "c",
    state_topic: "s",
    target_humidity_command_topic: "h/set",
    target_humidity_state_topic: "h",
    current_humidity_topic: "ch",
    modes: ["eco"],
    mode_command_topic: "m",
    action_topic: "a",
    name: null,
  });
  expect(described(device)).toEqual({
    "Settings:0.on": "rwn",
    "Humidity:0.percent": "rn",
    "Settings:0.targetHumidity": "rwn",
    "Settings:0.mode": "w",
    "Readings:0.action": "rn",
  });
});

test("a siren is set by JSON and reports by JSON or by words", () => {
  const device = deviceWith("siren", { command_topic: "c", state_topic: "s", name: "Siren" });
  expect([true, false].map((on) => commandFor(device, "Settings.sirenOn", on))).toEqual([
    { state: "ON" },
    { state: "OFF" },
  ]);
  expect([{ state: "ON" }, "OFF", "None", "{}"].map((each) => read(device, "Settings.sirenOn", each))).toEqual([
    true,
    false,
    null,
    null,
  ]);
  const templated = { command_topic: "c", command_template: "{{ value }}!", command_off_template: "quiet" };
  const other = deviceWith("siren", { ...templated, name: "Siren" });
  expect([true, false].map((on) => commandFor(other, "Settings.sirenOn", on))).toEqual(["ON!", "quiet"]);
});
