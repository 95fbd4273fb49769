import { CATALOGUE } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { Payload } from "../device/payload.ts";
import {
  binary,
  brightness,
  colorTemp,
  colour,
  deviceWith,
  dialectWith,
  find,
  LAMP,
  LAMP_ID,
  listed,
  numeric,
  reading,
  say,
  selectors,
  state,
  writing,
} from "./described-device.fixture.ts";

test("reports when a device was last received, to the minute, where zigbee2mqtt is set to", () => {
  const dialect = dialectWith(listed([state]));
  const device = () => {
    const found = dialect.devices.get(LAMP_ID);
    if (!found) throw new Error("the device is not described");
    return found;
  };
  expect(selectors(device())).not.toContain("Readings:0.lastSeen");
  say(dialect, "info", { config: { availability: true, advanced: { last_seen: "ISO_8601" } } });
  const last = (last_seen: unknown) => reading(device(), "Readings.lastSeen", { state: "ON", last_seen });
  expect(last("2026-11-24T13:58:41.123Z")).toBe("2026-11-24 13:58:00Z");
  expect(last("2026-11-24T14:58:41+01:00")).toBe("2026-11-24 13:58:00Z");
  expect(last(1_795_528_721_000)).toBe("2026-11-24 13:58:00Z");
  expect([last("yesterday"), last(-1), last(1e18), last(null), last(undefined)]).toEqual([
    ...Array(4).fill(null),
    undefined,
  ]);
  say(dialect, "info", { config: { availability: true, advanced: { last_seen: "disable" } } });
  expect(selectors(device())).not.toContain("Readings:0.lastSeen");
});

describe("a device of zigbee2mqtt", () => {
  test("is as in its definition, by its own EUI-64", () => {
    const device = dialectWith(
      listed([{ type: "switch", features: [state] }], { software_build_id: "1.2" }),
    ).devices.get(LAMP_ID);
    expect(device).toMatchObject({
      edgeId: LAMP_ID,
      about: { manufacturer: "Example", model: "X1", firmware: "1.2", name: "kitchen/lamp" },
      availability: { mode: "all", topics: [{ topic: "z/bridge/state" }] },
    });
    expect(device && find(device, "Switch.on")).toMatchObject({
      state: { topic: "z/kitchen/lamp" },
      ask: { topic: "z/kitchen/lamp/get", payload: '{"state":""}' },
    });
  });

  test.for([
    ["the coordinator", { type: "Coordinator", definition: null }, "coordinator"],
    ["one that is switched off", { disabled: true }, "disabled"],
    ["one that is not known yet", { interview_completed: false }, "notInterviewed"],
    ["one that zigbee2mqtt does not support", { supported: false }, "unsupported"],
    ["one whose name no topic can have", { friendly_name: "all/#" }, "badName"],
    ["one without an EUI-64", { ieee_address: "1" }, "badAddress"],
    ["one that is no device", { friendly_name: 7 }, "badDevice"],
  ] as const)("is not %s, and that is counted", ([, more, why]) => {
    const other = listed([state], { ieee_address: "0x00158d0000000002" });
    const dialect = dialectWith(listed([state], more), other);
    expect([...dialect.devices.keys()]).toEqual(["00-15-8D-00-00-00-00-02"]);
    expect(dialect.ignored).toEqual({ [why]: 1 });
  });

  test("stays the same object as long as it is described as before", () => {
    const dialect = dialectWith(listed([state]));
    const before = dialect.devices.get(LAMP_ID);
    say(dialect, "devices", [listed([state]), listed([state], { ieee_address: "0x00158d0000000002" })]);
    expect(dialect.devices.get(LAMP_ID)).toBe(before);
    say(dialect, "devices", [listed([state, brightness])]);
    expect(dialect.devices.get(LAMP_ID)).not.toBe(before);
    say(dialect, "devices", []);
    expect(dialect.devices.size).toBe(0);
  });

  test.for(["", "[1,null,[]]"])("is not in a list that does not have it (%#)", (payload) => {
    const dialect = dialectWith(listed([state]));
    expect(say(dialect, "devices", payload)).toBe(true);
    expect(dialect.devices.size).toBe(0);
  });
});

describe("the availability of a device", () => {
  const info = (availability: unknown, devices?: object) => ({ config: { availability, devices } });
  test.for([
    [info({ enabled: true }), true],
    [info({ enabled: true }, { [LAMP]: { friendly_name: "kitchen/lamp" }, "0x00158d0000000002": 7 }), true],
    [info(true), true],
    [info({ active: { timeout: 10 } }), true],
    [info({ enabled: false }), false],
    [info(false), false],
    [info({ enabled: true }, { [LAMP]: { availability: false } }), false],
    [{}, false],
  ] as const)("by %j has a topic of its own: %j", ([message, hasOwn]) => {
    const dialect = dialectWith(listed([state]));
    say(dialect, "info", message);
    const topics = dialect.devices.get(LAMP_ID)?.availability.topics.map(({ topic }) => topic);
    expect(topics).toEqual(["z/bridge/state", ...(hasOwn ? ["z/kitchen/lamp/availability"] : [])]);
  });

  test.for([
    ["online", true],
    ['{"state":"online"}', true],
    ['{"state":"offline"}', false],
    ["offline", false],
    ["?", undefined],
  ] as const)("is reported by %j: %j", ([text, expected]) => {
    expect(deviceWith(state).availability.topics[0]?.read(new Payload(text))).toBe(expected);
  });
});

describe("a plug", () => {
  const plug = deviceWith(
    { type: "switch", features: [state] },
    numeric("power", { access: 5, unit: "W" }),
    numeric("energy", { unit: "kWh" }),
    numeric("current", { unit: "mA" }),
    numeric("voltage", { unit: "V" }),
    { type: "enum", name: "power_on_behavior", property: "power_on_behavior", access: 7, values: ["off", "on"] },
    numeric("linkquality", { unit: "lqi", value_min: 0, value_max: 255 }),
  );

  test("has the standard classes, and what is its own", () => {
    expect(selectors(plug)).toEqual([
      "Switch:0.on",
      "Electricity:0.watts",
      "Electricity:0.energy",
      "Electricity:0.amperes",
      "Electricity:0.volts",
      "Switch:0.startUp",
      "Readings:0.linkquality",
    ]);
    expect(find(plug, "Switch.on").description).toEqual(CATALOGUE.get("Switch")?.[0]);
    expect(find(plug, "Switch.startUp").description).toMatchObject({ type: "string", values: ["off", "on"] });
  });

  test.for([
    ["Switch.on", { state: "ON" }, true],
    ["Switch.on", { state: "off" }, false],
    ["Switch.on", { state: "TOGGLE" }, null],
    ["Switch.on", { power: 3 }, undefined],
    ["Switch.on", { state: null }, null],
    ["Electricity.amperes", { current: 120 }, 0.12],
    ["Electricity.watts", { power: 12.5 }, 12.5],
    ["Electricity.watts", { power: "12.5" }, 12.5],
    ["Readings.linkquality", { linkquality: 80 }, 80],
  ] as const)("says %s by %j: %j", ([selector, message, value]) => {
    expect(reading(plug, selector, message)).toBe(value);
  });

  test("is set by the words of its definition", () => {
    expect(writing(plug, "Switch.on", true)).toEqual({ state: "ON" });
    expect(writing(plug, "Switch.startUp", "off")).toEqual({ power_on_behavior: "off" });
    expect(find(plug, "Electricity.energy").set).toBeUndefined();
  });
});

describe("a lamp of any colour", () => {
  const lamp = deviceWith({
    type: "light",
    features: [state, brightness, colorTemp, colour("color_xy", "x", "y"), colour("color_hs", "hue", "saturation")],
  });

  test("has its colour once, whichever way it is described", () => {
    const expected = ["Switch:0.on", "LightLevel:0.level", "LightTemperature:0.kelvin"];
    expect(selectors(lamp)).toEqual([...expected, "LightColor:0.hue", "LightColor:0.saturation"]);
    expect(find(lamp, "LightTemperature.kelvin").description).toMatchObject({ min: 2000, max: 6536 });
  });

  test.for([
    ["LightLevel.level", { brightness: 127 }, 50],
    ["LightLevel.level", { brightness: 254 }, 100],
    ["LightTemperature.kelvin", { color_temp: 250 }, 4000],
    ["LightColor.hue", { color: { hue: 120, saturation: 90, x: 0.2, y: 0.6 } }, 120],
    ["LightColor.saturation", { color: { x: 0.3, y: 0.6 } }, 100],
    ["LightColor.hue", { color: { x: 0.15, y: 0.06 } }, 240],
    ["LightColor.hue", { color: { h: 1 } }, null],
    ["LightColor.hue", { color: 7 }, null],
  ] as const)("says %s by %j: %j", ([selector, message, value]) => {
    expect(reading(lamp, selector, message)).toBe(value);
  });

  test.for([
    ["LightLevel.level", 50, { brightness: 127 }],
    ["LightLevel.level", 0.1, { brightness: 1 }],
    ["LightTemperature.kelvin", 2700, { color_temp: 370 }],
    ["LightColor.hue", 10, { color: { hue: 10, saturation: 40 } }],
    ["LightColor.saturation", 20, { color: { hue: 200, saturation: 20 } }],
  ] as const)("sets %s to %d by %j, with what is known of its colour", ([selector, value, message]) => {
    expect(writing(lamp, selector, value, { hue: 200, saturation: 40 })).toEqual(message);
  });

  test("of which no colour is known yet takes a full one", () => {
    expect(writing(lamp, "LightColor.hue", 10)).toEqual({ color: { hue: 10, saturation: 100 } });
  });
});

describe("a thermostat", () => {
  const word = (property: string, values: readonly string[], access = 7) => ({
    ...{ type: "enum", name: property, property, access, values },
  });
  const thermostat = deviceWith({
    type: "climate",
    features: [
      numeric("occupied_heating_setpoint", { access: 7, unit: "°C", value_min: 4, value_max: 30, value_step: 0.5 }),
      numeric("local_temperature", { access: 5, unit: "°C" }),
      word("system_mode", ["off", "heat", "dry"]),
      word("running_state", ["idle", "heat"], 5),
      numeric("local_temperature_calibration", { access: 7, unit: "°C", value_min: -3, value_max: 3, value_step: 0.1 }),
    ],
  });

  test("is never described wider than its class, nor wider than it is", () => {
    expect(find(thermostat, "Thermostat.target").description).toMatchObject({ min: 5, max: 30, step: 0.5 });
    expect(find(thermostat, "Thermostat.mode").description).toMatchObject({ values: ["off", "heat"] });
    expect(find(thermostat, "Thermostat.activity").description).toMatchObject({ access: ["read", "notify"] });
    expect(find(thermostat, "Settings.localTemperatureCalibration").description).toMatchObject({ min: -3, max: 3 });
  });

  test("reports its activity in the words of its class, and other words as no value", () => {
    expect(reading(thermostat, "Thermostat.activity", { running_state: "heat" })).toBe("heating");
    expect(reading(thermostat, "Thermostat.mode", { system_mode: "dry" })).toBe(null);
    expect(writing(thermostat, "Thermostat.target", 21.5)).toEqual({ occupied_heating_setpoint: 21.5 });
  });
});

test("a lock reports whether it is locked, and whether it is jammed", () => {
  const values = ["not_fully_locked", "locked", "unlocked"];
  const lock = deviceWith({
    type: "lock",
    features: [
      binary("state", "LOCK", "UNLOCK", 7),
      { type: "enum", name: "lock_state", property: "lock_state", access: 1, values },
    ],
  });
  expect(reading(lock, "Lock.locked", { state: "LOCK" })).toBe(true);
  expect(writing(lock, "Lock.locked", false)).toEqual({ state: "UNLOCK" });
  expect(values.map((lock_state) => reading(lock, "Lock.jammed", { lock_state }))).toEqual([true, false, false]);
});

test("a cover is set by its position; its words for moving are a setting", () => {
  const cover = deviceWith({
    type: "cover",
    features: [
      { type: "enum", name: "state", property: "state", access: 3, values: ["OPEN", "CLOSE", "STOP"] },
      numeric("position", { access: 7, unit: "%", value_min: 0, value_max: 100 }),
    ],
  });
  expect(selectors(cover)).toEqual(["Settings:0.state", "Cover:0.position"]);
  expect(writing(cover, "Cover.position", 30)).toEqual({ position: 30 });
});

test.for([
  ["an open contact", binary("contact", false, true), "Contact.open", { contact: false }, true],
  ["a closed contact", binary("contact", false, true), "Contact.open", { contact: true }, false],
  ["a leak", binary("water_leak"), "WaterLeak.detected", { water_leak: true }, true],
  ["a presence", binary("presence"), "Occupancy.occupied", { presence: true }, true],
  ["pressure in kPa", numeric("pressure", { unit: "kPa" }), "Pressure.hectopascal", { pressure: 101.3 }, 1013],
] as const)("%s is reported in the words of its class (%#)", ([, exposed, selector, message, value]) => {
  expect(reading(deviceWith(exposed), selector, message)).toBe(value);
});

test("a unit that its class does not have makes a reading of it", () => {
  expect(selectors(deviceWith(numeric("temperature", { unit: "°F" }), numeric("voltage", { unit: "kV" })))).toEqual([
    "Readings:0.temperature",
    "Readings:0.voltage",
  ]);
});

test("a voltage in millivolts is a battery's", () => {
  const sensor = deviceWith(numeric("voltage", { unit: "mV" }));
  expect(selectors(sensor)).toEqual(["Battery:0.volts"]);
  expect(reading(sensor, "Battery.volts", { voltage: 3015 })).toBe(3.015);
});

test("a start-up behaviour with a word of its own is a setting, so that each of its words can be set", () => {
  const of = (values: readonly string[]) =>
    selectors(
      deviceWith({ type: "enum", name: "power_on_behavior", property: "power_on_behavior", access: 7, values }),
    );
  expect(of(["off", "on", "previous"])).toEqual(["Switch:0.startUp"]);
  expect(of(["off", "on", "inverted"])).toEqual(["Settings:0.powerOnBehavior"]);
});

test("endpoints are instances of a service: l1 and l2 by their number, names in their order", () => {
  const at = (endpoint: string) => ({
    type: "switch",
    endpoint,
    features: [{ ...binary(`state_${endpoint}`, "ON", "OFF", 7), name: "state", endpoint }],
  });
  const gang = deviceWith(at("l2"), at("l1"));
  expect(selectors(gang)).toEqual(["Switch:2.on", "Switch:1.on"]);
  expect(writing(gang, "Switch:2.on", true)).toEqual({ state_l2: "ON" });
  expect(reading(gang, "Switch:1.on", { state_l2: "ON" })).toBeUndefined();
  expect(selectors(deviceWith(at("left"), at("right")))).toEqual(["Switch:1.on", "Switch:2.on"]);
});

describe("a remote control", () => {
  const action = (...values: string[]) => ({ type: "enum", name: "action", property: "action", access: 1, values });

  test("reports presses as events of its buttons, and other words as its own events", () => {
    const remote = deviceWith(action("1_single", "1_double", "2_single", "2_hold", "dial_rotate"));
    expect(selectors(remote)).toEqual(["Button:1.event", "Button:2.event", "Readings:0.action"]);
    expect(find(remote, "Button:1.event").description).toMatchObject({
      values: ["press", "double"],
      access: ["notify"],
    });
    expect(reading(remote, "Button:2.event", { action: "2_hold" })).toBe("long");
    expect(reading(remote, "Button:1.event", { action: "2_hold" })).toBeUndefined();
    expect(reading(remote, "Button:1.event", { action: "" })).toBeUndefined();
    expect(reading(remote, "Readings.action", { action: "dial_rotate" })).toBe("dial_rotate");
  });

  test.for([
    [["single", "double"], ["Button:0.event"]],
    [
      ["on_press", "on_hold", "off_press"],
      ["Button:1.event", "Button:2.event"],
    ],
    [["on_press", "on_press_release"], ["Button:1.event"]],
    [
      ["single_left", "single_right"],
      ["Button:1.event", "Button:2.event"],
    ],
    [["button_3_single"], ["Button:3.event"]],
    [["toggle"], ["Readings:0.action"]],
  ] as const)("with the words %j has %j", ([words, expected]) => {
    expect(selectors(deviceWith(action(...words)))).toEqual(expected);
  });
});

test("parts of a composite are set with what is known of the others, however deep they are", () => {
  const inner = {
    type: "composite",
    name: "step",
    property: "step",
    access: 7,
    features: [binary("on", true, false, 7)],
  };
  const composite = {
    ...{ type: "composite", name: "auto_off", property: "auto_off", access: 7 },
    features: [numeric("minutes", { access: 7 }), binary("enabled", true, false, 7), inner],
  };
  const device = deviceWith(composite);
  expect(selectors(device)).toEqual(
    ["autoOffMinutes", "autoOffEnabled", "autoOffStepOn"].map((name) => `Settings:0.${name}`),
  );
  const known = { autoOffMinutes: 5, autoOffStepOn: true };
  expect(writing(device, "Settings.autoOffEnabled", true, known)).toEqual({
    auto_off: { minutes: 5, enabled: true, step: { on: true } },
  });
  expect(reading(device, "Settings.autoOffStepOn", { auto_off: { step: { on: false } } })).toBe(false);
});

test("a device that can show itself is asked to by its own feature", () => {
  const device = deviceWith({ type: "enum", name: "identify", property: "identify", access: 2, values: ["identify"] });
  expect(device.identify).toEqual({ topic: "z/kitchen/lamp/set", payload: '{"identify":"identify"}' });
  expect(device.properties).toEqual([]);
});

test.for([
  [
    "a siren",
    {
      type: "composite",
      name: "warning",
      property: "warning",
      access: 2,
      features: [numeric("duration", { access: 2 })],
    },
    true,
  ],
  ["a garage", binary("garage_door_contact"), true],
  ["a lamp", brightness, false],
] as const)("%s is sensitive (%j): %j", ([, exposed, expected]) => {
  expect(deviceWith(state, exposed).isSensitive).toBe(expected);
});

test("more than 64 settings are left aside, and counted", () => {
  const many = Array.from({ length: 70 }, (_, n) => numeric(`setting_${n}`, { access: 7 }));
  const dialect = dialectWith(listed(many));
  expect(dialect.devices.get(LAMP_ID)?.properties.length).toBe(64);
  expect(dialect.ignored).toEqual({ tooMany: 6 });
});

test("has the name that a person gave it, and none while zigbee2mqtt calls it by its address", () => {
  const name = (friendly_name: string) =>
    dialectWith(listed([state], { friendly_name })).devices.get(LAMP_ID)?.about?.name;
  expect(name("Kitchen lamp")).toBe("Kitchen lamp");
  expect(name(LAMP)).toBeUndefined();
  expect(name(LAMP.toUpperCase().replace("X", "x"))).toBeUndefined();
});
