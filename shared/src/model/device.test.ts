/** Selectors, names and edgeIds: what they look like, and what of a device they mean. */
import { expect, test } from "vitest";
import { standardProperty } from "./catalogue.ts";
import { type DeviceDescription, findProperty, isEdgeId, isName, parseSelector } from "./device.ts";

const on = standardProperty("Switch", "on");
const hue = standardProperty("LightColor", "hue");
const saturation = standardProperty("LightColor", "saturation");
if (!on || !hue || !saturation) throw new Error("the catalogue lacks what this test needs");

const device: DeviceDescription = [
  { service: "Switch", index: "0", properties: [on] },
  { service: "Switch", index: "1", properties: [on] },
  { service: "LightColor", index: "0", properties: [hue, saturation] },
];

test.for([
  ["LightColor", { service: "LightColor" }],
  ["LightColor.hue", { service: "LightColor", property: "hue" }],
  ["Switch:1", { service: "Switch", index: "1" }],
  ["Switch:999.on", { service: "Switch", index: "999", property: "on" }],
  ["x-y_9:0.a-b_1", { service: "x-y_9", index: "0", property: "a-b_1" }],
] as const)("the selector %s is taken apart", ([text, expected]) => {
  expect(parseSelector(text)).toEqual({ index: undefined, property: undefined, ...expected });
});

test.for([
  "",
  ".",
  "Switch.",
  ".on",
  "Switch:",
  "Switch:01",
  "Switch:1000",
  "Switch:-1",
  "Switch:1:2",
  "Switch.on.off",
  "9Switch",
  "Switch on",
  "Switch.on\n",
  "Schälter",
  `${"a".repeat(65)}`,
])("%j is no selector", (text) => {
  expect(parseSelector(text)).toBeUndefined();
});

test("a property is found by its whole address", () => {
  expect(findProperty(device, { service: "LightColor", index: "0", property: "hue" })).toBe(hue);
  expect(findProperty(device, { service: "LightColor", index: "1", property: "hue" })).toBeUndefined();
  expect(findProperty(device, { service: "Switch", index: "1", property: "hue" })).toBeUndefined();
});

test.for([
  ["A0-B1-C2-D3-E4-F5", true],
  ["A0-B1-C2-D3-E4-F5-06-07", true],
  ["a0-b1-c2-d3-e4-f5", false],
  ["A0:B1:C2:D3:E4:F5", false],
  ["A0-B1-C2-D3-E4-F5-06", false],
  ["A0-B1-C2-D3-E4", false],
  ["A0-B1-C2-D3-E4-FG", false],
  ["A0-B1-C2-D3-E4-F5\n", false],
] as const)("%j is an edgeId: %s", ([text, expected]) => {
  expect(isEdgeId(text)).toBe(expected);
});

test("a name has up to 64 letters, digits, hyphens and underscores and begins with a letter", () => {
  expect(["a", "A-_9", "a".repeat(64)].every(isName)).toBe(true);
  expect(["", "_a", "1a", "a b", "a".repeat(65), "é"].some(isName)).toBe(false);
});
