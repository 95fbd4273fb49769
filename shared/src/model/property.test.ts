/** Which values a property can have, and why another is refused. */
import { expect, test } from "vitest";
import type { PropertyDescription, PropertyLimit, PropertyType } from "./property-schema.ts";
import { hasType, type Value, valueProblem, valuesEqual } from "./value.ts";

const of = (type: PropertyType, range: Partial<PropertyDescription> = {}): PropertyDescription => ({
  property: "p",
  type,
  access: ["read", "write"],
  ...range,
});

test.for([
  [of("boolean"), true, undefined],
  [of("boolean"), 1, "The value must be of type boolean."],
  [of("boolean"), "true", "The value must be of type boolean."],
  [of("integer"), 3, undefined],
  [of("integer"), 3.5, "The value must be of type integer."],
  [of("integer"), 2 ** 53, "The value must be of type integer."],
  [of("number"), -0.5, undefined],
  [of("number"), Number.NaN, "The value must be of type number."],
  [of("number"), Number.POSITIVE_INFINITY, "The value must be of type number."],
  [of("number"), "3", "The value must be of type number."],
  [of("number"), null, "The value must be of type number."],
  [of("number", { min: 0, max: 360 }), 0, undefined],
  [of("number", { min: 0, max: 360 }), 360, undefined],
  [of("number", { min: 0, max: 360 }), -0.1, "The value must be at least 0."],
  [of("number", { min: 0, max: 360 }), 360.1, "The value must be at most 360."],
  [of("number", { min: 5, max: 35, step: 0.1 }), 21.3, undefined],
  [of("number", { min: 5, max: 35, step: 0.5 }), 21.3, "The value must be a multiple of 0.5."],
  [of("string"), "", undefined],
  [of("string"), null, "The value must be of type string."],
  [of("string", { values: ["off", "heat"] }), "heat", undefined],
  [of("string", { values: ["off", "heat"] }), "Heat", "The value must be one of off, heat."],
  [of("string"), "a\0b", "The value has a character that is not allowed in text."],
  [of("string"), "\ud800", "The value has a character that is not allowed in text."],
  [of("json"), { a: [1, null] }, undefined],
  [of("json"), { a: ["\0"] }, "The value has a character that is not allowed in text."],
  [of("json"), [{ "\udfff": 1 }], "The value has a character that is not allowed in text."],
  [of("json"), null, "The value must be of type json."],
  [of("string"), "a".repeat(16 * 1024 - 2), undefined],
  [of("string"), "a".repeat(16 * 1024 - 1), "The value is larger than 16384 bytes."],
  [of("string"), "é".repeat(8 * 1024), "The value is larger than 16384 bytes."],
] as const)("%j set to %.20j: %s", ([description, value, problem]) => {
  expect(valueProblem(description, value)).toBe(problem);
});

const refused: Readonly<Record<PropertyLimit, { limit: number; value: number }>> = {
  min: { limit: 3, value: 2 },
  max: { limit: 3, value: 4 },
  step: { limit: 3, value: 4 },
};

test.for(Object.entries(refused))("the limit %s alone refuses a value: %j", ([name, { limit, value }]) => {
  expect(valueProblem(of("number", { [name]: limit }), value)).toContain(`${limit}.`);
  expect(valueProblem(of("number"), value)).toBeUndefined();
});

test("a device may say a value of its type that no client may set", () => {
  expect(hasType(of("number", { min: 0, max: 100 }), 130)).toBe(true);
  expect(hasType(of("number"), "130")).toBe(false);
});

test.for([
  [1, 1, true],
  [0, false, false],
  [null, 0, false],
  ["1", 1, false],
  [[1, [2]], [1, [2]], true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [{ a: 1, b: { c: null } }, { b: { c: null }, a: 1 }, true],
  [{ a: null }, {}, false],
  [{ a: null }, { b: null }, false],
  [[], {}, false],
  [{ toString: 1 }, {}, false],
] as [Value, Value, boolean][])("%j and %j are the same value: %s", ([a, b, same]) => {
  expect([valuesEqual(a, b), valuesEqual(b, a)]).toEqual([same, same]);
});
