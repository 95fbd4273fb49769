/** What devices of each command class send, and the one value that it means. */
import { acceptedValue, DeviceAddresses } from "@porchlight/driver-kit";
import { addressKey } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { valueJson } from "../captured-nodes.fixture.ts";
import { NodeValues, nodeStateSchema } from "../values/node-state.ts";
import { addressesOf, describeNode } from "./describe-node.ts";

type Row = Parameters<typeof valueJson>[0];

/** Each property with its value, as the hub stores it. */
function valuesOf(...rows: readonly Row[]): Readonly<Record<string, unknown>> {
  const node = nodeStateSchema.parse({ nodeId: 9, status: 4, ready: true, endpoints: [], values: rows.map(valueJson) });
  const values = new NodeValues(node.values, () => expect.unreachable("a value makes no sense"));
  const addresses = new DeviceAddresses(undefined, () => undefined);
  const { properties } = describeNode(node, values, addressesOf(addresses, "02-00-00-00-00-09"));
  return Object.fromEntries(
    properties.map(({ address, description, event, read }) => {
      const value = event ? "event" : read(values.raw);
      return [addressKey(address), value === undefined ? undefined : acceptedValue(address, description, value)];
    }),
  );
}

const state = (type: string, variable: string, raw: unknown): Row => [113, 0, type, variable, "number", "r", {}, raw];

describe("a notification", () => {
  test.for([
    ["Access Control", "Door state", "Contact:0.open", [22, 5632, 5633], [23], [0, 1, 24, 254, 255, 5634]],
    ["Access Control", "Door state (simple)", "Contact:0.open", [22, 5632, 5633], [23], [0, 254, 255]],
    ["Access Control", "Opening state", "Contact:0.open", [1, 2], [0], [3, 22, 23, 254, 255]],
    ["Access Control", "Lock state", "Lock:0.jammed", [11], [0], [1, 10, 254, 255]],
    ["Smoke Alarm", "Sensor status", "Smoke:0.detected", [1, 2], [0], [3, 6, 254, 255]],
    ["CO Alarm", "Sensor status", "CarbonMonoxide:0.detected", [1, 2], [0], [3, 6, 254, 255]],
    ["Water Alarm", "Sensor status", "WaterLeak:0.detected", [1, 2], [0], [3, 4, 254, 255]],
    ["Home Security", "Motion sensor status", "Motion:0.detected", [7, 8], [0], [1, 9, 254, 255]],
    ["Home Security", "Cover status", "Tamper:0.detected", [3], [0], [4, 254, 255]],
  ] as const)("of %s, %s says yes, no, or nothing", ([type, variable, key, yes, no, none]) => {
    const read = (raw: unknown) => valuesOf(state(type, variable, raw))[key];
    expect(yes.map(read)).toEqual(yes.map(() => true));
    expect(no.map(read)).toEqual(no.map(() => false));
    expect([...yes, ...no].map((each) => read(String(each)))).toEqual([...yes.map(() => true), ...no.map(() => false)]);
    const spellings = [...none, null, "unknown", "", "maybe", true, Number.NaN, -1, 65_535, {}, []];
    expect(spellings.map(read)).toEqual(spellings.map(() => null));
    expect(read(undefined)).toBeUndefined();
  });
});

describe("a lock", () => {
  test.for([
    [
      "currentMode",
      "number",
      "Lock:0.locked",
      [
        [255, true],
        ["255", true],
        [0, false],
        [1, false],
        [16, false],
        [33, false],
      ],
    ],
    [
      "boltStatus",
      "string",
      "Readings:0.bolt",
      [
        ["locked", "locked"],
        ["unlocked", "unlocked"],
      ],
    ],
    [
      "latchStatus",
      "string",
      "Readings:0.latch",
      [
        ["open", "open"],
        ["closed", "closed"],
      ],
    ],
    [
      "doorStatus",
      "string",
      "Contact:0.open",
      [
        ["open", true],
        ["closed", false],
      ],
    ],
  ] as const)("says its %s only in the words that the protocol has", ([name, type, key, good]) => {
    const read = (raw: unknown) => valuesOf([98, 0, name, null, type, "r", {}, raw])[key];
    expect(good.map(([raw]) => read(raw))).toEqual(good.map(([, value]) => value));
    const none = [254, 77, 2, -1, null, "unknown", "unavailable", "ajar", "", {}];
    expect(none.map(read)).toEqual(none.map(() => null));
  });
});

describe("a level", () => {
  test.for([
    [0, 0, false],
    [1, 1, true],
    [99, 100, true],
    [100, 100, true],
    ["55", 55, true],
    [100.3, 100, true],
    [101, null, null],
    [253, null, null],
    [254, null, null],
    // On, at the level that it had last, which it does not say.
    [255, null, true],
    [65_535, null, null],
    [-1, null, null],
    [null, null, null],
    ["unknown", null, null],
    [true, null, null],
  ] as const)("of %j is %j %%, and on is %j", ([raw, level, on]) => {
    expect(valuesOf([38, 0, "currentValue", null, "number", "r", {}, raw])).toEqual({
      ...{ "LightLevel:0.level": level, "Switch:0.on": on },
    });
  });

  test.for([
    [0, 0],
    [99, 100],
    [254, null],
    [255, null],
    [120, null],
  ] as const)("of a cover of %j is the position %j", ([raw, position]) => {
    const row: Row = [106, 0, "currentValue", 13, "number", "r", {}, raw];
    expect(valuesOf(row)).toEqual({ "Cover:0.position": position });
  });
});

test.for([
  [0, 0, "stopped"],
  [255, 100, "stopped"],
  [252, 40, "closing"],
  [253, 40, "stopped"],
  [254, 40, "opening"],
  [77, 40, null],
  ["unknown", 40, null],
  [null, 40, null],
] as const)("a garage door in state %j is %j %% open and %j", ([raw, position, movement]) => {
  const rows: Row[] = [
    [102, 0, "currentState", null, "number", "r", {}, raw],
    [102, 0, "position", null, "number", "r", { unit: "%" }, 40],
  ];
  expect(valuesOf(...rows)).toEqual({ "Cover:0.position": position, "Cover:0.movement": movement });
});

test.for([
  [0, false, 0, false],
  [83, false, 83, false],
  ["83", false, 83, false],
  [100.4, false, 100, false],
  [255, undefined, null, true],
  [255, false, null, true],
  [0, true, 0, true],
  [101, false, null, false],
  [254, null, null, null],
  [null, "unknown", null, null],
] as const)("a battery of %j, low %j, is charged %j %% and low %j", ([level, low, percent, isLow]) => {
  const rows: Row[] = [
    [128, 0, "level", null, "number", "r", { unit: "%" }, level],
    [128, 0, "isLow", null, "boolean", "r", {}, low],
  ];
  expect(valuesOf(...rows)).toEqual({ "Battery:0.percent": percent, "Battery:0.low": isLow });
});

test.for([
  [255, 0, 0, 0, 100],
  [0, 255, 0, 120, 100],
  ["255", 0, 0, 0, 100],
  [255, 255, 255, 0, 0],
  // It shines white, or not at all.
  [0, 0, 0, null, null],
  [256, 0, 0, 0, 100],
  [300, 0, 0, null, null],
  [-5, 0, 0, null, null],
  [65_535, 0, 0, null, null],
  [255, null, 0, null, null],
  [255, "unknown", 0, null, null],
] as const)("a colour of %j, %j, %j has the hue %j and the saturation %j", ([red, green, blue, hue, saturation]) => {
  const rows = [red, green, blue].map((raw, at): Row => [51, 0, "currentColor", at + 2, "number", "r", {}, raw]);
  expect(valuesOf(...rows)).toEqual({ "LightColor:0.hue": hue, "LightColor:0.saturation": saturation });
});

test.for([
  ["°C", 21.5, 21.5],
  ["C", "21.5", 21.5],
  ["°F", 68, 20],
  ["°F", 70.5, 21.4],
  ["F", 68, 20],
  // Nothing says which scale it is.
  [undefined, 68, null],
  ["", 21, null],
  ["°", 21, null],
  ["%", 21, null],
  ["°C", null, null],
  ["°C", "unknown", null],
  ["°C", -300, null],
] as const)("a setpoint in %j of %j is %j °C", ([unit, raw, celsius]) => {
  expect(valuesOf([67, 0, "setpoint", 1, "number", "r", { unit }, raw])).toEqual({ "Thermostat:0.target": celsius });
});

test.for([
  [1, 1, "°F", 212, "Temperature:0.celsius", 100],
  [1, undefined, "°F", 212, "Temperature:0.celsius", 100],
  [1, 1, undefined, 212, "Temperature:0.celsius", 100],
  // The number of the scale and its text say two things.
  [1, 0, "°F", 68, "Temperature:0.celsius", null],
  [1, 1, "°C", 20, "Temperature:0.celsius", null],
  [1, 7, "°X", 20, "Temperature:0.celsius", null],
  [1, undefined, undefined, 20, "Temperature:0.celsius", null],
  [1, 0, "°C", -327.68, "Temperature:0.celsius", null],
  [4, 0, "W", "1500", "Electricity:0.watts", 1500],
  [4, undefined, "kW", 1.5, "Electricity:0.watts", 1500],
  [4, 0, "kW", 1.5, "Electricity:0.watts", null],
  [8, 0, "kPa", 101.3, "Pressure:0.hectopascal", 1013],
  [8, 1, "inHg", 29.92, "Pressure:0.hectopascal", 1013.208],
  [8, 1, "kPa", 29.92, "Pressure:0.hectopascal", null],
  [8, 0, "kPa", 65_535, "Pressure:0.hectopascal", 655_350],
  [15, 0, "V", 230, "Electricity:0.volts", 230],
  [15, 1, "mV", 230_000, "Electricity:0.volts", 230],
  [15, 0, "mV", 230_000, "Electricity:0.volts", null],
  [16, 1, "mA", 1500, "Electricity:0.amperes", 1.5],
  [5, 0, "%", 104, "Humidity:0.percent", 104],
  [3, 1, "Lux", 300, "Illuminance:0.lux", 300],
  [3, 0, "%", 30, "Readings:0.type3", 30],
] as const)("a sensor of type %j, scale %j, unit %j with %j is %s %j", ([sensorType, scale, unit, raw, key, value]) => {
  const metadata = { unit, ccSpecific: { sensorType, ...(scale !== undefined && { scale }) } };
  expect(valuesOf([49, 0, `type ${sensorType}`, null, "number", "r", metadata, raw])).toEqual({ [key]: value });
});

test.for([
  [0, "kWh", 5, "Electricity:0.energy", 5],
  [0, "Wh", 5, "Electricity:0.energy", null],
  [2, "W", 5, "Electricity:0.watts", 5],
  [2, "kW", 5, "Electricity:0.watts", null],
  [4, "V", "230", "Electricity:0.volts", 230],
  [5, "A", null, "Electricity:0.amperes", null],
] as const)("an electric meter of scale %j in %j with %j is %s %j", ([scale, unit, raw, key, value]) => {
  const metadata = { unit, ccSpecific: { meterType: 1, rateType: 1, scale } };
  expect(valuesOf([50, 0, "value", 65_537, "number", "r", metadata, raw])).toEqual({ [key]: value });
});

test.for([
  [
    "a thermostat's mode",
    [64, 0, "mode", null, "number", "r", { states: { 1: "Heat" } }],
    "Thermostat:0.mode",
    [
      [1, "heat"],
      ["1", "heat"],
      [77, null],
      [null, null],
    ],
  ],
  [
    "its activity",
    [66, 0, "state", null, "number", "r", {}],
    "Thermostat:0.activity",
    [
      [1, "heating"],
      [77, null],
      [254, null],
      ["unknown", null],
    ],
  ],
  [
    "a plug",
    [37, 0, "currentValue", null, "boolean", "r", {}],
    "Switch:0.on",
    [
      [true, true],
      ["false", false],
      [1, true],
      [254, null],
      ["maybe", null],
      [null, null],
    ],
  ],
  [
    "a sensor that only says yes",
    [48, 0, "Any", null, "boolean", "r", { ccSpecific: { sensorType: 255 } }],
    "Readings:0.triggered",
    [
      [true, true],
      ["false", false],
      [254, null],
      [null, null],
    ],
  ],
  [
    "a siren's tone",
    [121, 0, "toneId", null, "number", "r", {}],
    "Siren:0.active",
    [
      [0, false],
      [5, true],
      [255, true],
      [300, null],
      [-5, null],
      [null, null],
    ],
  ],
  [
    "a device of which nothing is known",
    [32, 0, "currentValue", null, "number", "r", {}],
    "Readings:0.basic",
    [
      [50, 50],
      [255, 255],
      [254, null],
      ["unknown", null],
    ],
  ],
] as const)("%s", ([, row, key, cases]) => {
  const [commandClass, endpoint, property, propertyKey, type, access, metadata] = row;
  const read = (raw: unknown) =>
    valuesOf([commandClass, endpoint, property, propertyKey, type, access, metadata, raw])[key];
  expect(cases.map(([raw]) => read(raw))).toEqual(cases.map(([, value]) => value));
});
