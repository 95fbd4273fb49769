import { derivedEdgeId } from "@porchlight/driver-kit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Payload } from "../device/payload.ts";
import { described, discovered, onlyDevice, propertyAt, SCOPE, tell } from "./discovery.fixture.ts";
import { homeAssistantDialect } from "./home-assistant-dialect.ts";

const PLUG = { identifiers: ["plug"], name: "Plug" };
const RELAY = { name: "Relay", command_topic: "plug/set", state_topic: "plug/state", device: PLUG };
const WATTS = {
  name: "Power",
  device_class: "power",
  unit_of_measurement: "W",
  state_topic: "plug/power",
  device: PLUG,
};
const PLUG_ID = derivedEdgeId("mqtt", SCOPE, "plug");

describe("a device that is described by several messages", () => {
  test("is one device with a service for each", () => {
    const device = onlyDevice({ "switch/plug/relay": RELAY, "sensor/plug/power": WATTS });
    expect(device.edgeId).toBe(PLUG_ID);
    expect(device.about).toEqual({ name: "Plug" });
    expect(described(device)).toEqual({ "Electricity:0.watts": "rn", "Switch:0.on": "rwn" });
  });

  test("loses what is taken back by an empty message, and is gone with the last", () => {
    const dialect = discovered({ "switch/plug/relay": RELAY, "sensor/plug/power": WATTS });
    tell(dialect, { "sensor/plug/power": "" });
    expect([...dialect.devices.values()].map(described)).toEqual([{ "Switch:0.on": "rwn" }]);
    tell(dialect, { "switch/plug/relay": "" });
    expect([...dialect.devices]).toEqual([]);
  });

  test("is another object once it is described anew, and the same as long as it is described as before", () => {
    const dialect = discovered({ "switch/plug/relay": RELAY, "switch/lamp/relay": { ...RELAY, device: undefined } });
    const before = new Map(dialect.devices);
    tell(dialect, { "switch/plug/relay": RELAY });
    expect([...dialect.devices].every(([edgeId, device]) => before.get(edgeId) === device)).toBe(true);
    tell(dialect, { "switch/plug/relay": { ...RELAY, command_topic: "plug/set2" } });
    const changed = [...dialect.devices].filter(([edgeId, device]) => before.get(edgeId) !== device);
    expect(changed.map(([edgeId]) => edgeId)).toEqual([PLUG_ID]);
    const [, device] = changed[0] ?? [];
    expect(device && propertyAt(device, "Switch.on").set?.(true, () => undefined).topic).toBe("plug/set2");
  });

  test("that is taken back and described again between two looks is the same object", () => {
    const dialect = discovered({ "switch/plug/relay": RELAY });
    const before = dialect.devices.get(PLUG_ID);
    tell(dialect, { "switch/plug/relay": "" });
    tell(dialect, { "switch/plug/relay": RELAY });
    expect(dialect.devices.get(PLUG_ID)).toBe(before);
  });

  test("that moves to the message of a whole device is described there alone", () => {
    const dialect = discovered({ "switch/plug/relay": RELAY });
    tell(dialect, { "switch/plug/relay": { migrate_discovery: true } });
    expect([...dialect.devices]).toEqual([]);
  });
});

describe("what is numbered", () => {
  test("is numbered in the order of the object ids, ten behind two, whenever it came", () => {
    const relay = (number: number) => ({ ...RELAY, name: undefined, command_topic: `set/${number}` });
    const device = onlyDevice({
      "switch/plug/relay_10": relay(10),
      "switch/plug/relay_2": relay(2),
      "switch/plug/relay_1": relay(1),
    });
    const topics = ["Switch:0.on", "Switch:1.on", "Switch:2.on"].map(
      (selector) => propertyAt(device, selector).set?.(true, () => undefined).topic,
    );
    expect(topics).toEqual(["set/1", "set/2", "set/10"]);
  });

  test("shares a service with the other measurements of the same place", () => {
    const device = onlyDevice({
      "sensor/plug/a_power": WATTS,
      "sensor/plug/b_power": { ...WATTS, state_topic: "plug/b" },
      "sensor/plug/voltage": { ...WATTS, device_class: "voltage", unit_of_measurement: "V" },
    });
    expect(Object.keys(described(device))).toEqual([
      "Electricity:0.watts",
      "Electricity:1.watts",
      "Electricity:0.volts",
    ]);
  });

  test("of its own name is distinguished by a number", () => {
    const reading = { name: "Duration", state_topic: "plug/x", unit_of_measurement: "s", device: PLUG };
    const device = onlyDevice({ "sensor/plug/a": reading, "sensor/plug/b": reading, "sensor/plug/c": reading });
    expect(Object.keys(described(device))).toEqual(
      ["duration", "duration2", "duration3"].map((n) => `Readings:0.${n}`),
    );
  });
});

const ENTITIES: readonly (readonly [string, unknown])[] = [
  ["switch/plug/relay_1", RELAY],
  ["switch/plug/relay_2", { ...RELAY, availability_topic: "plug/online" }],
  ["sensor/plug/power", { ...WATTS, availability_topic: "plug/online" }],
  ["sensor/plug/time", { ...WATTS, device_class: "duration", device: { ...PLUG, serial_number: "7", ids: "x" } }],
  [
    "sensor/other/time",
    { ...WATTS, device_class: "duration", device: { connections: [["mac", "AA:BB:CC:00:00:02"]] } },
  ],
  [
    "number/other/a",
    { name: "Time", command_topic: "o/a", device: { ids: "other", cns: [["mac", "aa:bb:cc:00:00:02"]] } },
  ],
  ["select/other/b", { name: "Time", command_topic: "o/b", options: ["x"], device: { identifiers: "other" } }],
  ["select/alone/b", { name: "Time", command_topic: "o/b", options: ["x"] }],
  ["camera/other/c", { topic: "o/c", device: { identifiers: "other" } }],
  [
    "device_automation/plug/t1",
    {
      automation_type: "trigger",
      type: "action",
      subtype: "1_single",
      topic: "p/a",
      payload: "1_single",
      device: PLUG,
    },
  ],
  [
    "device_automation/plug/t2",
    {
      automation_type: "trigger",
      type: "action",
      subtype: "1_double",
      topic: "p/a",
      payload: "1_double",
      device: PLUG,
    },
  ],
  [
    "device/plug2",
    {
      dev: { ids: ["plug2"] },
      cmps: { a: { p: "switch", command_topic: "p2" }, b: { p: "switch", command_topic: "p3" } },
    },
  ],
  ["light/bad/x", "no json"],
];

test("in any order of the messages, the devices are equal", () => {
  const shown = (order: readonly (readonly [string, unknown])[]) => {
    const dialect = homeAssistantDialect("homeassistant", SCOPE);
    for (const [topic, stated] of order) tell(dialect, { [topic]: stated });
    const devices = [...dialect.devices].sort(([a], [b]) => (a < b ? -1 : 1));
    return [JSON.stringify(devices), JSON.stringify(Object.entries(dialect.ignored).sort())];
  };
  const expected = shown(ENTITIES);
  expect(discovered(Object.fromEntries(ENTITIES)).devices.size).toBe(4);
  fc.assert(
    fc.property(fc.shuffledSubarray([...ENTITIES], { minLength: ENTITIES.length }), (order) => {
      expect(shown(order)).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

describe("what is of no use", () => {
  test("is counted by the name of what it is, once however often it is reported", () => {
    const dialect = discovered({
      "camera/a": { topic: "x", device: PLUG },
      "update/b": { device: PLUG },
      "toaster/c": { device: PLUG },
      "switch/plug/relay": RELAY,
    });
    tell(dialect, { "camera/a": { topic: "y", device: PLUG } });
    expect(dialect.devices.size).toBe(1);
    expect(dialect.ignored).toEqual({ camera: 1, update: 1, unknownComponent: 1 });
  });

  test("of a device that has nothing else is no device", () => {
    const dialect = discovered({ "camera/a": { topic: "x", device: PLUG } });
    expect([dialect.devices.size, dialect.ignored]).toEqual([0, { camera: 1, withoutProperties: 1 }]);
  });

  test("is reported in words that name the topic", () => {
    const dialect = discovered({
      "switch/a": "[1]",
      "switch/b": { command_topic: "b", device: 7 },
      "sensor/c": { state_topic: "c", value_template: "{{ broken" },
      "switch/d": { command_topic: "d/+" },
    });
    expect(dialect.problems).toEqual([
      "homeassistant/switch/a/config: it is not a JSON object",
      "homeassistant/switch/b/config: its device is not an object",
      expect.stringMatching(/^homeassistant\/sensor\/c\/config: value_template is not understood .*: \{\{ broken$/),
      "homeassistant/switch/d/config: command_topic is not understood",
    ]);
    expect(dialect.ignored).toEqual({ badPayload: 2, badTemplate: 1, badOption: 1, withoutProperties: 2 });
  });

  test("does not stay a problem once it is described well", () => {
    const dialect = discovered({ "switch/a": "no json" });
    tell(dialect, { "switch/a": RELAY });
    expect([dialect.problems, dialect.ignored, dialect.devices.size]).toEqual([[], {}, 1]);
  });

  test.for([
    ["homeassistant/switch/a b/config", true, { badTopic: 1 }],
    ["homeassistant/switch/config", false, {}],
    ["homeassistant/switch/a/b/c/config", false, {}],
    ["homeassistant/status", false, {}],
    ["other/switch/a/config", false, {}],
  ] as const)("a message on %s is the dialect's: %s", ([topic, isTaken, ignored]) => {
    const dialect = homeAssistantDialect("homeassistant", SCOPE);
    expect(dialect.take({ topic, payload: new Payload(JSON.stringify(RELAY)), retained: false })).toBe(isTaken);
    expect([dialect.devices.size, dialect.ignored]).toEqual([0, ignored]);
  });
});
