import type { PropertyDescription } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { colourCommand, colourPayload, commandValue, payloadOf } from "./payloads.ts";

const property = (
  type: PropertyDescription["type"],
  range: Partial<PropertyDescription> = {},
): PropertyDescription => ({
  property: "p",
  type,
  access: ["read", "write"],
  ...range,
});

test.for([
  ["Switch", true, "true"],
  ["Switch", false, "false"],
  ["Temperature", 21.5, "21.5"],
  ["Temperature", -0, "0"],
  ["Settings", "a text", "a text"],
  ["Settings", { a: 1 }, '{"a":1}'],
  ["Temperature", null, "None"],
  ["LightLevel", null, ""],
  ["Cover", null, ""],
] as const)("%s %j stands on its topic as %j", ([service, value, payload]) => {
  expect(payloadOf({ service, index: "0", property: "p" }, value)).toBe(payload);
});

describe("a command", () => {
  test.for([
    [property("boolean"), "true", true],
    [property("boolean"), "false", false],
    [property("boolean"), "ON", undefined],
    [property("boolean"), "1", undefined],
    [property("boolean"), "", undefined],
    [property("boolean", { values: [true] }), "false", undefined],
    [property("number"), "21.5", 21.5],
    [property("number"), "-3e2", -300],
    [property("number"), "", undefined],
    [property("number"), " 1", undefined],
    [property("number"), "0x10", undefined],
    [property("number"), "NaN", undefined],
    [property("number"), "Infinity", undefined],
    [property("number"), "1e400", undefined],
    [property("number", { min: 0, max: 100 }), "101", undefined],
    [property("number", { min: 0, max: 100 }), "-1", undefined],
    [property("number", { min: 5, max: 35, step: 0.1 }), "21.3000000004", 21.3],
    [property("number", { min: 5, max: 35, step: 0.5 }), "21.3", 21.5],
    [property("number", { min: 0, max: 100, step: 30 }), "100", 90],
    [property("number", { values: [0, 100] }), "100", 100],
    [property("number", { values: [0, 100] }), "50", undefined],
    [property("integer"), "30.4", 30],
    [property("integer"), "9007199254740991", 9007199254740991],
    [property("integer"), "9007199254740993", undefined],
    [property("integer", { min: 2000, max: 6500 }), "2702.7", 2703],
    [property("string"), "a text", "a text"],
    [property("string"), "", ""],
    [property("string", { values: ["eco", "boost"] }), "eco", "eco"],
    [property("string", { values: ["eco", "boost"] }), "other", undefined],
    [property("string"), "a\0b", undefined],
    [property("json"), "{}", undefined],
  ] as const)("of %j by %j sets %j", ([description, text, value]) => {
    expect(commandValue(description, text)).toBe(value);
  });

  test.for([
    ["30.5,80", ["30.5", "80"]],
    ["30, 80", ["30", "80"]],
    ["30", undefined],
    ["30,80,1", undefined],
    ["", undefined],
  ] as const)("of a colour by %j has the numbers %j", ([text, numbers]) => {
    expect(colourCommand(text)).toEqual(numbers);
  });
});

test.for([
  [30, 80, "30,80"],
  [30, undefined, ""],
  [null, 80, ""],
] as const)("a hue of %j and a saturation of %j stand together as %j", ([hue, saturation, payload]) => {
  expect(colourPayload(hue, saturation)).toBe(payload);
});
