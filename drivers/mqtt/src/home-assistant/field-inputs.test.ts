/** What users of other hubs met, on the whole way of the driver: what a thing says is what the host knows, or the host knows none. */
import { describe, expect, test } from "vitest";
import { DiscoveryHome, THING } from "./discovery-home.fixture.ts";

const TEMPERATURE = { device_class: "temperature", unit_of_measurement: "°C", state_topic: "t" };
const relay = (name: string) => ({ command_topic: `${name}/set`, state_topic: name });

describe("commands reach the thing that they were meant for", () => {
  test("when another relay comes before it, and when it has gone", async () => {
    await using home = new DiscoveryHome();
    home.describeNow("switch/heater", relay("heater"));
    await home.describe("switch/pump", relay("pump"));
    await home.say("heater", "OFF");
    await home.say("pump", "ON");
    await home.describe("switch/aux", relay("aux"));
    await home.set("Switch:0.on", true);
    expect([home.commands("heater/set"), home.commands("aux/set")]).toEqual([["ON"], []]);
    expect([home.value("Switch:0.on"), home.value("Switch:1.on")], "values stay").toEqual([false, true]);
    home.describeNow("switch/aux", undefined);
    await home.describe("switch/heater", undefined);
    expect(await home.set("Switch:0.on", false)).toMatchObject({
      outcome: "rejected",
      detail: "The device no longer describes Switch:0.on.",
    });
    const [heater, pump] = [home.commands("heater/set"), home.commands("pump/set")];
    expect([heater, pump, home.value("Switch:1.on")]).toEqual([["ON"], [], true]);
  });

  test("and a command under way ends when its thing goes", async () => {
    await using home = new DiscoveryHome();
    home.describeNow("switch/heater", relay("heater"));
    await home.describe("switch/pump", relay("pump"));
    const address = { service: "Switch", index: "0", property: "on" };
    const writing = home.driver.write(THING, address, true, home.attempt(60_000));
    await home.describe("switch/heater", undefined);
    expect(await writing).toMatchObject({ outcome: "unknown", detail: expect.stringContaining("no longer describes") });
    expect(home.clock.monotonic()).toBeLessThan(5000);
  });
});

const NO_VALUES = [
  "nan",
  "NaN",
  "-nan",
  "inf",
  "-Infinity",
  "unknown",
  "unavailable",
  "None",
  "none",
  "null",
  "",
  "n/a",
  "hot",
];

describe("a value ends when the thing reports that it has none", () => {
  test.for(NO_VALUES)("a sensor that reports %j", async (text) => {
    await using home = new DiscoveryHome();
    await home.describe("sensor/t", TEMPERATURE);
    await home.say("t", "21.5");
    expect(home.value("Temperature.celsius")).toBe(21.5);
    await home.say("t", text);
    expect(home.value("Temperature.celsius")).toBe(null);
  });

  test.for<[string, object, string, string, unknown, readonly string[]]>([
    ["switch/x", { command_topic: "c" }, "Switch.on", "ON", true, ["half", "unknown", "2"]],
    ["binary_sensor/x", { device_class: "smoke" }, "Smoke.detected", "ON", true, ["alarm", "254", "unavailable"]],
    ["lock/x", { command_topic: "c" }, "Lock.locked", "LOCKED", true, ["None", "LOCKING", "77", "JAMMED"]],
    ["lock/x", { command_topic: "c", payload_reset: "R" }, "Lock.jammed", "JAMMED", true, ["R", "77"]],
    ["cover/x", { command_topic: "c" }, "Cover.position", "open", 100, ["opening", "ajar", "None"]],
    ["cover/x", { command_topic: "c" }, "Cover.movement", "closing", "closing", ["ajar", "unknown"]],
    ["valve/x", { command_topic: "c" }, "Valve.open", "open", true, ["opening", "5633"]],
    ["fan/x", { command_topic: "c" }, "Fan.on", "ON", true, ["auto"]],
    ["siren/x", { command_topic: "c" }, "Readings.x", "ON", undefined, []],
    ["number/x", { command_topic: "c" }, "Settings.x", "7", 7, ["nan", "x", ""]],
    ["select/x", { command_topic: "c", options: ["a", "b"] }, "Settings.x", "a", "a", ["c", "unknown"]],
    ["text/x", { command_topic: "c" }, "Settings.x", "hello", "hello", ["unavailable", "None"]],
    ["sensor/x", { device_class: "enum", options: ["idle", "busy"] }, "Readings.x", "busy", "busy", ["late", "None"]],
    ["light/x", { command_topic: "c" }, "Switch.on", "ON", true, ["dim", "None"]],
  ])("%s %j of %s", async ([id, options, selector, good, value, texts]) => {
    await using home = new DiscoveryHome();
    await home.describe(id, { state_topic: "s", ...options });
    for (const text of texts) {
      await home.say("s", good);
      expect(home.value(selector)).toBe(value);
      await home.say("s", text);
      expect([text, home.value(selector)]).toEqual([text, null]);
    }
  });

  test.for<[string, readonly unknown[], readonly unknown[]]>([
    ["{{ value_json.t }}", [{ t: null }, { t: "" }, '{"t": NaN}', { t: "unknown" }, "unavailable"], [{ other: 1 }]],
    ["{{ value_json.t | float }}", [{ t: null }, { t: "x" }, '{"t": NaN, "h": 4}'], [{ other: 1 }]],
    ["{{ value_json['a']['t'] | round(1) }}", [{ a: { t: null } }, { a: { t: "nan" } }], [{ a: {} }, { b: 1 }]],
    ["{% if value_json.t is defined %}{{ value_json.t }}{% endif %}", [{ t: null }, { t: "inf" }], [{ other: 1 }]],
    ["{{ value | float }}", ["x", "", "nan"], []],
  ])("by the template %s", async ([value_template, ends, saysNothing]) => {
    await using home = new DiscoveryHome();
    await home.describe("sensor/t", { ...TEMPERATURE, value_template });
    const good = value_template.includes("value_json") ? { t: 21.5, a: { t: 21.5 } } : "21.5";
    for (const message of ends) {
      await home.say("t", good);
      expect(home.value("Temperature.celsius")).toBe(21.5);
      await home.say("t", message);
      expect([message, home.value("Temperature.celsius")]).toEqual([message, null]);
    }
    await home.say("t", good);
    for (const message of saysNothing) await home.say("t", message);
    expect(home.value("Temperature.celsius")).toBe(21.5);
  });
});

describe("a share stays in its range, and a measurement is reported as it is", () => {
  test.for<[string, object, string, readonly (readonly [string, number | null])[]]>([
    [
      "cover/x",
      { command_topic: "c", position_topic: "s", set_position_topic: "p", position_open: 0, position_closed: 100 },
      "Cover.position",
      [
        ["100", 0],
        ["130", null],
        ["40", 60],
        ["-1", null],
        ["0", 100],
        ["100.4", 0],
      ],
    ],
    [
      "fan/x",
      { command_topic: "c", percentage_state_topic: "s", speed_range_max: 4 },
      "Fan.speed",
      [
        ["4", 100],
        ["9", null],
        ["-2", null],
      ],
    ],
    [
      "sensor/x",
      { device_class: "battery", unit_of_measurement: "%", state_topic: "s" },
      "Battery.percent",
      [
        ["80", 80],
        ["255", null],
      ],
    ],
    [
      "sensor/x",
      { device_class: "humidity", unit_of_measurement: "%", state_topic: "s" },
      "Humidity.percent",
      [
        ["40", 40],
        ["104", 104],
      ],
    ],
    [
      "sensor/x",
      { device_class: "temperature", unit_of_measurement: "°C", state_topic: "s" },
      "Temperature.celsius",
      [
        ["-327.68", null],
        ["150", 150],
      ],
    ],
    [
      "light/x",
      { command_topic: "c", brightness_command_topic: "b", brightness_state_topic: "s", brightness_scale: 254 },
      "LightLevel.level",
      [
        ["255", 100],
        ["65535", null],
      ],
    ],
    [
      "light/x",
      { command_topic: "c", color_temp_command_topic: "b", color_temp_state_topic: "s" },
      "LightTemperature.kelvin",
      [
        ["250", 4000],
        ["0", null],
        ["65535", null],
      ],
    ],
  ])("%s %j", async ([id, options, selector, says]) => {
    await using home = new DiscoveryHome();
    await home.describe(id, options);
    for (const [text, value] of says) {
      await home.say("s", text);
      expect([text, home.value(selector)]).toEqual([text, value]);
    }
  });
});

describe("a light", () => {
  const JSON_LIGHT = { schema: "json", command_topic: "c", state_topic: "s", brightness: true };

  test("that is on again without its brightness has no level, and never one of 0", async () => {
    await using home = new DiscoveryHome();
    await home.describe("light/x", { ...JSON_LIGHT, supported_color_modes: ["brightness"] });
    await home.say("s", { state: "ON", brightness: 128 });
    await home.say("s", { state: "ON" });
    expect(home.value("LightLevel.level")).toBeCloseTo(50.2, 1);
    await home.say("s", { state: "OFF" });
    await home.say("s", { state: "ON" });
    expect([home.value("Switch.on"), home.value("LightLevel.level")]).toEqual([true, null]);
    await home.say("s", { state: "ON", brightness: "255" });
    expect(home.value("LightLevel.level")).toBe(100);
  });

  test("of the template schema that is on again without its brightness has no level either", async () => {
    await using home = new DiscoveryHome();
    const on = { command_on_template: "on", command_off_template: "off", state_template: "{{ value_json.s }}" };
    const brightness_template = "{{ value_json.b }}";
    await home.describe("light/x", {
      schema: "template",
      command_topic: "c",
      state_topic: "s",
      ...on,
      brightness_template,
    });
    for (const message of [{ s: "on", b: 255 }, { s: "off" }, { s: "on" }]) await home.say("s", message);
    expect(home.value("LightLevel.level")).toBe(null);
  });

  test("shows its colour or its colour temperature, by its mode", async () => {
    await using home = new DiscoveryHome();
    await home.describe("light/x", { ...JSON_LIGHT, supported_color_modes: ["hs", "color_temp"] });
    const both = { color: { h: 120, s: 50 }, color_temp: 250 };
    const shown = () => [home.value("LightColor.hue"), home.value("LightTemperature.kelvin")];
    await home.say("s", { state: "ON", ...both, color_mode: "hs" });
    expect(shown()).toEqual([120, null]);
    await home.say("s", { state: "ON", ...both, color_mode: "color_temp" });
    expect(shown()).toEqual([null, 4000]);
    await home.say("s", { state: "ON", color: { h: 240, s: 50 } });
    expect(shown()).toEqual([240, null]);
    await home.say("s", { state: "ON", color_mode: "white" });
    expect(shown()).toEqual([null, null]);
  });

  test.for([true, false])("of several topics shows its last report, or the one of its mode (%j)", async (hasMode) => {
    await using home = new DiscoveryHome();
    const topics = {
      hs_command_topic: "h/set",
      hs_state_topic: "h",
      color_temp_command_topic: "k/set",
      color_temp_state_topic: "k",
    };
    await home.describe("light/x", {
      command_topic: "c",
      ...topics,
      ...(hasMode ? { color_mode_state_topic: "m" } : {}),
    });
    const mode = async (stated: string) => (hasMode ? await home.say("m", stated) : undefined);
    const shown = () => [home.value("LightColor.hue"), home.value("LightTemperature.kelvin")];
    await mode("hs");
    await home.say("h", "120,50");
    await home.say("k", "250");
    await mode("color_temp");
    expect(shown()).toEqual([null, 4000]);
    await home.say("h", "240,50");
    await mode("hs");
    expect(shown()).toEqual([240, null]);
  });
});

describe("a unit belongs to the value", () => {
  test.for<[string, string, string, string, number]>([
    ["temperature", "°F", "Temperature.celsius", "68", 20],
    ["voltage", "mV", "Electricity.volts", "3015", 3.015],
    ["pressure", "inHg", "Pressure.hectopascal", "29.92", 1013.207],
    ["pressure", "kPa", "Pressure.hectopascal", "101.3", 1013],
    ["power", "kW", "Electricity.watts", "1.2", 1200],
    ["energy", "Wh", "Electricity.energy", "1500", 1.5],
  ])("a sensor of %s that is in %s from now on", async ([device_class, unit, selector, text, value]) => {
    await using home = new DiscoveryHome();
    const before = { temperature: "°C", voltage: "V", pressure: "hPa", power: "W", energy: "kWh" }[device_class];
    const sensor = (unit_of_measurement?: string) => ({ device_class, unit_of_measurement, state_topic: "s" });
    home.broker.say("s", "20", true);
    await home.describe("sensor/x", sensor(before));
    await home.say("s", "20", true);
    expect(home.value(selector)).toBe(20);
    home.describeNow("sensor/x", sensor(unit));
    await home.pass(20);
    home.broker.say("s", text);
    await home.pass(10);
    expect([20, value, null], "never the number in the unit before").toContain(home.value(selector));
    await home.pass(100);
    expect(home.value(selector)).toBeCloseTo(value, 2);
    await home.describe("sensor/x", sensor(before));
    expect(home.value(selector), "without a message in the new unit").toBe(null);
  });

  test.for<[object, string, number | null | undefined]>([
    [{ min_temp: 50, max_temp: 90 }, "68", undefined],
    [{ min_temp: 45, max_temp: 95, temperature_unit: "F" }, "68", 20],
    [{ min_temp: 50, max_temp: 90, temperature_unit: "X" }, "68", undefined],
    [{ temperature_unit: "C", temp_step: 0.5 }, "20.5", 20.5],
    [{}, "21.5", 21.5],
    [{}, "72", null],
    [{ min_temp: 5, max_temp: 60 }, "21", 21],
    [{ temperature_unit: "F", temp_step: 0.5 }, "70.5", 21.388889],
  ])("a thermostat %j that says %s is at %j °C", async ([options, text, value]) => {
    await using home = new DiscoveryHome();
    const topics = { temperature_command_topic: "c", temperature_state_topic: "s", current_temperature_topic: "m" };
    await home.describe("climate/x", { ...topics, ...options });
    await home.say("s", text);
    await home.say("m", text);
    expect([home.value("Thermostat.target"), home.value("Temperature.celsius")]).toEqual([value, value]);
  });
});

describe("a dead sensor is not taken for a steady one", () => {
  test("a value that no message renews for `expire_after` ends", async () => {
    await using home = new DiscoveryHome();
    await home.describe("sensor/t", { ...TEMPERATURE, expire_after: 3 });
    await home.say("t", "4.5");
    await home.pass(2000);
    await home.say("t", "4.5");
    await home.pass(2900);
    expect(home.value("Temperature.celsius")).toBe(4.5);
    await home.pass(200);
    expect(home.value("Temperature.celsius")).toBe(null);
    await home.say("t", "4.6");
    expect(home.value("Temperature.celsius")).toBe(4.6);
  });

  test("so does one that the broker had kept, from when the hub received it", async () => {
    await using home = new DiscoveryHome();
    home.broker.say("s", "ON", true);
    await home.describe("binary_sensor/x", { device_class: "door", state_topic: "s", expire_after: 5 });
    expect(home.value("Contact.open")).toBe(true);
    await home.pass(5000);
    expect(home.value("Contact.open")).toBe(null);
  });

  const AVAILABLE = { availability_topic: "a" };

  test("a value from before the hub's start ends in its time, if no message renews it", async () => {
    await using home = new DiscoveryHome();
    home.describeNow("sensor/t", { ...TEMPERATURE, expire_after: 60 });
    await home.describe("binary_sensor/x", { device_class: "motion", state_topic: "s", off_delay: 10 });
    await home.pass(58_000);
    expect([home.value("Temperature.celsius"), home.value("Motion.detected")]).toEqual([undefined, null]);
    await home.pass(3000);
    expect(home.value("Temperature.celsius")).toBe(null);
  });

  test("a value from before an absence of its device ends in its time, counted from when the device is back", async () => {
    await using home = new DiscoveryHome();
    await home.say("a", "online", true);
    await home.describe("sensor/t", { ...TEMPERATURE, ...AVAILABLE, expire_after: 60 });
    await home.say("t", "21.5");
    await home.say("a", "offline", true);
    await home.pass(3_600_000);
    await home.say("a", "online", true);
    expect(home.value("Temperature.celsius")).toBe(21.5);
    await home.pass(61_000);
    expect(home.value("Temperature.celsius")).toBe(null);
  });

  test("a value from before the hub's start ends if its entity is reported away, and the value that came meanwhile counts after that", async () => {
    await using home = new DiscoveryHome();
    await home.say("a", "offline", true);
    await home.say("t", "21.5", true);
    for (const id of ["sensor/u", "sensor/v"]) home.describeNow(id, { state_topic: id });
    await home.describe("sensor/t", { ...TEMPERATURE, ...AVAILABLE });
    await home.pass(100);
    expect(home.value("Temperature.celsius")).toBe(null);
    await home.say("t", "22");
    expect(home.value("Temperature.celsius")).toBe(null);
    await home.say("a", "online", true);
    expect(home.value("Temperature.celsius")).toBe(22);
  });

  test("motion is over after its `off_delay`, counted from the last message", async () => {
    await using home = new DiscoveryHome();
    await home.describe("binary_sensor/x", { device_class: "motion", state_topic: "s", off_delay: 10 });
    await home.say("s", "ON");
    await home.pass(9000);
    await home.say("s", "ON");
    await home.pass(9000);
    expect(home.value("Motion.detected")).toBe(true);
    await home.pass(1000);
    expect(home.value("Motion.detected")).toBe(false);
    await home.say("s", "None");
    await home.pass(20_000);
    expect(home.value("Motion.detected")).toBe(null);
  });

  test("a repeated value is reported again", async () => {
    await using home = new DiscoveryHome();
    await home.describe("sensor/t", TEMPERATURE);
    await home.say("t", "21.5");
    await home.pass(9000);
    await home.say("t", "21.5");
    expect([home.value("Temperature.celsius"), home.times("Temperature.celsius")]).toEqual([21.5, 2]);
  });

  test("an entity whose own availability ends has no value and takes no command; others of its device stay", async () => {
    await using home = new DiscoveryHome();
    home.describeNow("switch/a", { ...relay("a"), availability_topic: "a/up" });
    home.describeNow("sensor/b", { ...TEMPERATURE, availability_topic: "b/up" });
    await home.describe("sensor/c", { device_class: "humidity", unit_of_measurement: "%", state_topic: "c" });
    for (const [topic, text] of [
      ["a/up", "online"],
      ["b/up", "online"],
      ["a", "ON"],
      ["t", "21"],
      ["c", "40"],
    ] as const)
      await home.say(topic, text);
    const all = () => ["Switch.on", "Temperature.celsius", "Humidity.percent"].map((each) => home.value(each));
    expect(all()).toEqual([true, 21, 40]);
    await home.say("a/up", "offline");
    expect(all()).toEqual([null, 21, 40]);
    expect(await home.set("Switch.on", false)).toMatchObject({ outcome: "not_applied" });
    expect(home.commands("a/set")).toEqual([]);
    await home.say("a", "OFF");
    expect(all()).toEqual([null, 21, 40]);
    await home.say("a/up", "online");
    expect(all()).toEqual([false, 21, 40]);
  });
});
