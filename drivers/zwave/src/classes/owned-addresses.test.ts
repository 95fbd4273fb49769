/** Addresses of a node whose values come and go, and are listed in another order. */
import { DeviceAddresses } from "@porchlight/driver-kit";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { addressKey } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { CAPTURED_NODES, type ValueJson, valueJson } from "../captured-nodes.fixture.ts";
import { NodeValues, nodeStateSchema, valueKey } from "../values/node-state.ts";
import { addressesOf, describeNode } from "./describe-node.ts";

const NODE = "02-00-00-00-00-09";
const opened = () => new DeviceAddresses(undefined, () => expect.unreachable("nothing is stored"));

/** Which value each property is read from first, or set by. */
function sources(addresses: DeviceAddresses, values: readonly ValueJson[], node: object = {}) {
  const parsed = nodeStateSchema.parse({ nodeId: 9, status: 4, ready: true, endpoints: [], ...node, values });
  const all = new NodeValues(parsed.values, () => expect.unreachable("a value makes no sense"));
  const { properties } = describeNode(parsed, all, addressesOf(addresses, NODE));
  return Object.fromEntries(
    properties.map(({ address, of: [first] }) => [addressKey(address), first ? valueKey(first) : "none"]),
  );
}

const covering = (key: number) => [
  valueJson([106, 0, "currentValue", key, "number", "r", {}, 40]),
  valueJson([106, 0, "targetValue", key, "number", "rw", {}]),
];
const position = (key: number) =>
  valueKey({ commandClass: 106, endpoint: 0, property: "currentValue", propertyKey: key });

describe("of a blind with several parts", () => {
  test("the part that is the cover stays the cover, and no other one is ever moved in its place", () => {
    const addresses = opened();
    const first = sources(addresses, [...covering(13), ...covering(15)]);
    expect(first).toMatchObject({ "Cover:0.position": position(13), "Settings:0.part15": position(15) });
    // A firmware drops the first part.
    expect(sources(addresses, covering(15))).toEqual({ "Settings:0.part15": position(15) });
    // Another one brings a part that is listed before it.
    const third = sources(addresses, [...covering(1), ...covering(15), ...covering(13)]);
    expect(third).toEqual({ ...first, "Settings:0.part1": position(1) });
  });

  test("that stays so after a restart, and ends when the node is removed", async () => {
    const store = memoryStore();
    const open = async () => {
      const addresses = new DeviceAddresses(store, (failure) => expect(failure).toBeUndefined());
      await addresses.load();
      return addresses;
    };
    sources(await open(), [...covering(13), ...covering(15)]);
    expect(sources(await open(), covering(15))).toEqual({ "Settings:0.part15": position(15) });
    (await open()).forget(NODE);
    expect(sources(await open(), covering(15))).toMatchObject({ "Cover:0.position": position(15) });
  });
});

test("of two values for one reading the first keeps the address, also while it is gone", () => {
  const sensor = valueJson([
    49,
    0,
    "Power",
    null,
    "number",
    "r",
    { unit: "W", ccSpecific: { sensorType: 4, scale: 0 } },
    5,
  ]);
  const meter = valueJson([
    ...([50, 0, "value", 66_049, "number", "r"] as const),
    ...([{ unit: "W", ccSpecific: { meterType: 1, rateType: 1, scale: 2 } }, 7] as const),
  ]);
  const addresses = opened();
  const first = sources(addresses, [meter]);
  expect(sources(addresses, [sensor, meter])).toEqual(first);
  expect(sources(addresses, [sensor])).toEqual({});
  expect(sources(addresses, [meter])).toEqual(first);
});

test("of two sensors whose names are the same as a property the first keeps the name", () => {
  const sensor = (name: string, sensorType: number) =>
    valueJson([49, 0, name, null, "number", "r", { ccSpecific: { sensorType, scale: 0 } }, 1]);
  const addresses = opened();
  const first = sources(addresses, [sensor("Soil moisture", 41), sensor("Soil-moisture", 31)]);
  expect(Object.keys(first)).toEqual(["Readings:0.soilMoisture"]);
  expect(sources(addresses, [sensor("Soil-moisture", 31)])).toEqual({});
});

test("which of two new values has an address does not depend on the order in which the server lists them", () => {
  const named = (name: string, sensorType: number) =>
    valueJson([49, 0, name, null, "number", "r", { ccSpecific: { sensorType, scale: 0 } }, 1]);
  for (const values of [
    [named("Soil moisture", 41), named("Soil-moisture", 31)],
    [...covering(13), ...covering(2), ...covering(1), ...covering(9)],
  ])
    expect(sources(opened(), values.toReversed())).toEqual(sources(opened(), values));
});

test("a scene keeps its button when the same scene of another endpoint comes first", () => {
  const scene = (endpoint: number) => valueJson([91, endpoint, "scene", "001", "number", "r", { stateful: false }]);
  const addresses = opened();
  const first = sources(addresses, [scene(2)]);
  expect(sources(addresses, [scene(1), scene(2)])).toEqual(first);
});

test("a setpoint keeps its property when it is the only one left", () => {
  const setpoint = (key: number) => valueJson([67, 1, "setpoint", key, "number", "rw", { unit: "°C" }, 20]);
  const addresses = opened();
  const both = sources(addresses, [setpoint(1), setpoint(2)]);
  expect(Object.keys(both)).toContain("Setpoints:1.heating");
  expect(Object.keys(sources(addresses, [setpoint(1)]))).toEqual(["Thermostat:1.target", "Setpoints:1.heating"]);
  expect(Object.keys(sources(opened(), [setpoint(1)]))).toEqual(["Thermostat:1.target"]);
});

test("endpoints keep their numbers, whichever of them a firmware adds or drops", () => {
  const relay = (endpoint: number) => [
    valueJson([37, endpoint, "currentValue", null, "boolean", "r", {}, false]),
    valueJson([37, endpoint, "targetValue", null, "boolean", "rw", {}, false]),
  ];
  const addresses = opened();
  const keys = (...endpoints: readonly number[]) =>
    Object.keys(sources(addresses, endpoints.flatMap(relay))).toSorted();
  expect(keys(1, 2, 3)).toEqual(["Switch:1.on", "Switch:2.on", "Switch:3.on"]);
  expect(keys(3, 1)).toEqual(["Switch:1.on", "Switch:3.on"]);
  expect(keys(4, 3, 0, 1)).toEqual(["Switch:0.on", "Switch:1.on", "Switch:3.on", "Switch:4.on"]);
});

test("no property depends on the order in which the server lists the values", () => {
  for (const json of CAPTURED_NODES.values()) {
    const { values, ...node } = json;
    const turned = values.toReversed();
    const half = values.toSpliced(0, values.length >> 1);
    const addresses = opened();
    const first = sources(opened(), values, node);
    expect(sources(opened(), turned, node)).toEqual(first);
    // What is dropped takes its own addresses along, and no other.
    sources(addresses, values, node);
    const left = sources(addresses, half, node);
    const meanings = Object.entries(left).filter(([key]) => /^(?:Readings|Electricity|Cover|Button)/.test(key));
    expect(meanings.filter(([key, value]) => first[key] !== value)).toEqual([]);
  }
});
