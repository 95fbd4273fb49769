/** What items for a whole zone mean: what its devices have in common, and which values others set again. */
import type { PropertyDescriptor, SceneItem, ServiceDescriptor } from "@porchlight/shared/api";
import { describe, expect, test } from "vitest";
import { homeOf, lamp } from "./scene-home.fixture.ts";
import { commonOf, describedBy, writesOf } from "./scene-home.ts";
import { overridesOf } from "./zone-items.ts";

const level = (more: Partial<PropertyDescriptor>): PropertyDescriptor => ({
  ...{ property: "level", type: "number", access: ["read", "write"] },
  ...more,
});

describe("what descriptions have in common", () => {
  test.each<[string, PropertyDescriptor, PropertyDescriptor[], Partial<PropertyDescriptor>]>([
    [
      "is the narrower range",
      level({ min: 0, max: 100 }),
      [level({ min: 10, max: 50 }), level({})],
      { min: 10, max: 50 },
    ],
    ["is that of the first where ranges are apart", level({ min: 0, max: 5 }), [level({ min: 9 })], { min: 0, max: 5 }],
    ["is what all list", level({ values: ["a", "b"] }), [level({ values: ["b", "c"] })], { values: ["b"] }],
    [
      "is what the first lists where nothing is on both",
      level({ values: ["a"] }),
      [level({ values: ["c"] })],
      { values: ["a"] },
    ],
    ["is a value that all have", level({ value: 3 }), [level({ value: 3 })], { value: 3 }],
    ["is no value where they differ", level({ value: 3 }), [level({ value: 4 })], {}],
    ["is no value where one has none", level({ value: 3 }), [level({})], {}],
    ["is a step that all have", level({ step: 5 }), [level({ step: 5 })], { step: 5 }],
    ["is no step where they differ", level({ step: 5 }), [level({ step: 1 })], {}],
    ["has nothing of another type", level({ max: 9 }), [level({ type: "string", max: 3 })], { max: 9 }],
  ])("%s", (_, first, rest, expected) => {
    expect(commonOf(first, rest)).toEqual({ ...level({}), ...expected });
  });
});

const readOnly: ServiceDescriptor = {
  ...{ service: "Switch", index: "0" },
  properties: [{ property: "on", type: "boolean", access: ["read"], value: true }],
};
const two = (index: string): ServiceDescriptor => ({ ...(lamp(true, 1)[0] as ServiceDescriptor), index });
const home = homeOf(
  { a: lamp(true, 40), b: lamp(false, 20), twin: [two("0"), two("1")], sensor: [readOnly] },
  {
    hall: ["a", "twin", "sensor"],
    floor: ["hall", "b"],
  },
);
const item = (target: string, service: string): SceneItem => ({ target, service, value: true });

test("an item for a zone sets every instance of a property that can be set in it, in the zones within it too", () => {
  expect(
    writesOf(home, item("floor", "Switch.on"))
      .map(({ key }) => key)
      .sort(),
  ).toEqual(["a Switch:0.on", "b Switch:0.on", "twin Switch:0.on", "twin Switch:1.on"]);
  expect(describedBy(home, item("hall", "Switch.on"))?.descriptor.access).toContain("write");
  expect(describedBy(home, item("hall", "Lock.locked"))).toBeUndefined();
});

test.each<[string, readonly SceneItem[], readonly unknown[]]>([
  [
    "a lamp of the zone that comes later has its own value",
    [item("hall", "Switch.on"), item("a", "Switch:0.on")],
    [{ kind: "part", devices: 1 }, undefined],
  ],
  [
    "a lamp that comes before its zone has no effect",
    [item("a", "Switch.on"), item("hall", "Switch.on")],
    [{ kind: "whole", by: "hall" }, undefined],
  ],
  [
    "a zone in a zone that comes later has none either",
    [item("hall", "Switch.on"), item("floor", "Switch.on")],
    [{ kind: "whole", by: "floor" }, undefined],
  ],
  ["another property is another", [item("a", "Switch.on"), item("hall", "LightLevel.level")], [undefined, undefined]],
  [
    "an item whose target is missing is not judged",
    [item("gone", "Switch.on"), item("gone", "Switch.on")],
    [undefined, undefined],
  ],
])("%s", (_, items, expected) => {
  expect(overridesOf(home, items)).toEqual(expected);
});
