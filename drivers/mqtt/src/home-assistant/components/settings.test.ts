import { describe, expect, test } from "vitest";
import { commandFor, described, deviceWith, discovered, onlyDevice, propertyAt, read } from "../discovery.fixture.ts";

describe("a switch", () => {
  const RELAY = { command_topic: "c", state_topic: "s" };

  test("is a Switch, and of a device's configuration a setting", () => {
    expect(described(deviceWith("switch", RELAY))).toEqual({ "Switch:0.on": "rwn" });
    const lock = deviceWith("switch", { ...RELAY, name: "Child lock", entity_category: "config" });
    expect(described(lock)).toEqual({ "Settings:0.childLock": "rwn" });
  });

  test("has words for its commands and others for its states", () => {
    const device = deviceWith("switch", { ...RELAY, payload_on: 1, payload_off: 0, state_on: "up", state_off: "down" });
    expect(["up", "down", "1"].map((word) => read(device, "Switch.on", word))).toEqual([true, false, null]);
    expect([true, false].map((on) => commandFor(device, "Switch.on", on))).toEqual(["1", "0"]);
  });

  test("without a topic for its state can only be set", () => {
    expect(described(deviceWith("switch", { command_topic: "c" }))).toEqual({ "Switch:0.on": "w" });
  });

  test("whose template does not compile can only be set, and is a problem", () => {
    const dialect = discovered({ "switch/it": { ...RELAY, value_template: "{% broken" } });
    expect([...dialect.devices.values()].map(described)).toEqual([{ "Switch:0.on": "w" }]);
    expect(dialect.ignored).toEqual({ badTemplate: 1 });
    expect(dialect.problems).toEqual([expect.stringMatching(/switch\/it\/config: value_template .*\{% broken$/)]);
  });

  test("whose commands' template does not compile can only be read", () => {
    expect(described(deviceWith("switch", { ...RELAY, command_template: "{% broken" }))).toEqual({
      "Switch:0.on": "rn",
    });
  });
});

describe("a setting", () => {
  test("is a number of 1 to 100 in steps of 1, unless stated otherwise", () => {
    const plain = propertyAt(deviceWith("number", { command_topic: "c" }), "Settings.it").description;
    expect(plain).toMatchObject({ type: "number", min: 1, max: 100, step: 1, access: ["write"] });
    const options = { command_topic: "c", state_topic: "s", min: -10, max: 10.5, step: 0.5, unit_of_measurement: "°C" };
    const device = deviceWith("number", {
      ...options,
      payload_reset: "reset",
      command_template: '{"v": {{ value }} }',
    });
    expect(propertyAt(device, "Settings.it").description).toMatchObject({ min: -10, max: 10.5, step: 0.5, unit: "°C" });
    expect(["7.5", "reset", "x"].map((text) => read(device, "Settings.it", text))).toEqual([7.5, null, null]);
    expect(commandFor(device, "Settings.it", -2.5)).toEqual({ v: -2.5 });
  });

  test("of what a device is once it has power again is the switch's, where it has no other words", () => {
    const startUp = (options: readonly string[]) =>
      described(deviceWith("select", { command_topic: "c", state_topic: "s", name: "Power-on behavior", options }));
    expect(startUp(["off", "on", "previous"])).toEqual({ "Switch:0.startUp": "rwn" });
    expect(startUp(["off", "on", "memory"])).toEqual({ "Settings:0.powerOnBehavior": "rwn" });
  });

  test("is one of several words", () => {
    const device = deviceWith("select", {
      command_topic: "c",
      state_topic: "s",
      options: ["a", "b", "b", "x".repeat(65)],
    });
    expect(propertyAt(device, "Settings.it").description.values).toEqual(["a", "b"]);
    expect(["a", "c", "None"].map((text) => read(device, "Settings.it", text))).toEqual(["a", null, null]);
    expect(commandFor(device, "Settings.it", "b")).toBe("b");
  });

  test("is a text; a password is not shown", () => {
    expect(described(deviceWith("text", { command_topic: "c", state_topic: "s" }))).toEqual({ "Settings:0.it": "rwn" });
    const secret = deviceWith("text", { command_topic: "c", state_topic: "s", mode: "password" });
    expect(described(secret)).toEqual({ "Settings:0.it": "w" });
  });

  test("is a button that can be pressed, and no more", () => {
    const device = deviceWith("button", { command_topic: "c", name: "Restart", device_class: "restart" });
    expect(propertyAt(device, "Settings.restart").description).toMatchObject({ access: ["write"], values: [true] });
    expect(commandFor(device, "Settings.restart", true)).toBe("PRESS");
  });

  test("that shows the device is no setting", () => {
    const device = { identifiers: "d" };
    const lamp = onlyDevice({
      "button/i": { command_topic: "c", payload_press: "blink", device_class: "identify", device },
      "switch/s": { command_topic: "s", device },
    });
    expect(lamp.identify).toMatchObject({ topic: "c", payload: "blink" });
    expect(described(lamp)).toEqual({ "Switch:0.on": "w" });
  });

  test.for([
    ["number", { min: 5, max: 1 }],
    ["number", { step: 0 }],
    ["select", {}],
  ] as const)("a %s of %j is none", ([component, options]) => {
    expect(discovered({ [`${component}/it`]: { command_topic: "c", ...options } }).ignored).toMatchObject({
      badOption: 1,
    });
  });
});

test("a command whose template fails for its value is not sent", () => {
  const device = deviceWith("number", { command_topic: "c", command_template: "{{ value.a.b }}" });
  expect(() => commandFor(device, "Settings.it", 5)).toThrow("The command's template fails");
});
