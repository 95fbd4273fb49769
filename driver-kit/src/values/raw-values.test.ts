/** What drivers make of the spellings that devices have for values, and for none. */
import { describe, expect, test } from "vitest";
import { parseRawJson } from "./raw-json.ts";
import {
  isNoValue,
  numberIn,
  readBoolean,
  readCelsius,
  readEither,
  readMired,
  readNumber,
  readOneOf,
  readPercent,
  readShare,
  readText,
  temperatureScale,
} from "./raw-values.ts";

const NONE = [null, "", " ", "nan", "NaN", "-nan", "inf", "-Infinity", "unknown", "Unavailable", "None", "null", "N/A"];
const NO_NUMBERS = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  true,
  {},
  [],
  "21,5",
  "0x10",
  "1e999",
];

describe("no value", () => {
  test.each([...NONE, ...NO_NUMBERS])("is what %j is as a number", (raw) => {
    expect(readNumber(raw)).toBeNull();
    expect(readPercent(raw)).toBeNull();
    expect(readMired(raw)).toBeNull();
    expect(readCelsius(raw, "celsius")).toBeNull();
  });

  test.each(NONE)("is what %j is as a boolean, a text and a word", (raw) => {
    expect(readBoolean(raw)).toBeNull();
    expect(readText(raw)).toBeNull();
    expect(readOneOf(raw, [["auto", "auto"]])).toBeNull();
    expect(typeof raw === "string" ? isNoValue(raw) : true).toBe(true);
  });

  test("is what a marker of the protocol stands for", () => {
    expect(readNumber(65535, [65535])).toBeNull();
    expect(readNumber("-327.68", [-327.68])).toBeNull();
    expect(readPercent(255, 100, [255])).toBeNull();
  });

  test("is not what a message leaves out", () => {
    const reads = [readNumber, readBoolean, readText, readPercent, readMired].map((read) => read(undefined));
    expect(reads).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(readEither(undefined, [1], [0])).toBeUndefined();
    expect(readOneOf(undefined, [])).toBeUndefined();
    expect(readCelsius(undefined, "celsius")).toBeUndefined();
    expect(readShare(undefined, 0, 1)).toBeUndefined();
  });
});

describe("a number", () => {
  test.each([
    [21.5, 21.5],
    ["21.5", 21.5],
    [" -0.25 ", -0.25],
    ["1e3", 1000],
    [".5", 0.5],
    ["+7", 7],
  ])("is read from %j", (raw, value) => expect(readNumber(raw)).toBe(value));

  test("has no negative zero, and no more than 64 characters", () => {
    expect(Object.is(readNumber(-0), 0)).toBe(true);
    expect(numberIn("1".repeat(65))).toBeUndefined();
  });
});

describe("a boolean", () => {
  test.each([
    [true, true],
    ["ON", true],
    ["true", true],
    [1, true],
    ["1", true],
    [false, false],
    ["off", false],
    ["No", false],
    [0, false],
    [2, null],
    ["open", null],
  ])("of %j is %j", (raw, value) => expect(readBoolean(raw)).toBe(value));

  test.each([
    [22, true],
    ["23", false],
    [5632, true],
    [254, null],
    [77, null],
    ["ajar", null],
  ])("of an enumeration is by its lists: %j is %j", (raw, value) => {
    expect(readEither(raw, [22, 5632, 5633], [23])).toBe(value);
  });
});

describe("a quantity with a range", () => {
  test.each([
    [254, 254, 100],
    [255, 254, 100],
    [127, 254, 50],
    [0, 255, 0],
    [65535, 254, null],
    [-1, 100, null],
    [130, 100, null],
    [100.4, 100, 100],
    [-0.4, 100, 0],
    ["50", 100, 50],
  ])("of %j of %j is %j %%", (raw, full, value) => expect(readPercent(raw, full)).toBe(value));

  test.each([
    [370, 2703],
    ["250", 4000],
    [0, null],
    [65535, null],
    [-5, null],
    [100, 10_000],
    [1000, 1000],
    [20, null],
  ])("of %j mired is %j K", (raw, value) => expect(readMired(raw)).toBe(value));
});

describe("a temperature", () => {
  test.each([
    [68, "°F", 20],
    [20, "°C", 20],
    [293.15, "K", 20],
    [68, "", null],
    [68, undefined, null],
    [-300, "°C", null],
  ])("of %j in %j is %j °C", (raw, unit, value) => expect(readCelsius(raw, temperatureScale(unit))).toBe(value));
});

describe("JSON of firmware", () => {
  test("loses only the member that is a bare NaN or Infinity", () => {
    expect(parseRawJson('{"a":nan,"b":-Infinity,"c":[NaN,1],"d":"NaN, \\"inf\\"","e":2}')).toEqual({
      a: null,
      b: null,
      c: [null, 1],
      d: 'NaN, "inf"',
      e: 2,
    });
  });

  test.each([
    ["None", null],
    ["undefined", null],
    ["-nan(ind)", null],
    ["1.#QNAN", null],
    ["--", null],
    ["21.5 °C", null],
    ["0x1F", null],
    ["nanometre", null],
    ["", null],
    ["True", true],
    ["FALSE", false],
    ["+21.5", 21.5],
    [".5", 0.5],
    ["-.5", -0.5],
    ["21.", 21],
    ["007", 7],
  ])("reads a member %j as %j, and the others", (raw, value) => {
    expect(parseRawJson(`{"a": ${raw} ,"b":1,"c":[ ${raw || "1"} ],"d":"x: , }",}`)).toEqual({
      ...{ a: value, b: 1, c: [raw === "" ? 1 : value], d: "x: , }" },
    });
  });

  test("is refused when it is none", () => {
    for (const text of ['{"a":', "{a:1}", "{'a':1}", '{"a":1 "b":2}', "on", "None", "21.5 °C", '{"a"}'])
      expect(() => parseRawJson(text), text).toThrow(SyntaxError);
  });

  test.each([
    ["ends of strings", '"\\\\'],
    ["quotes in a string without an end", '\\"'],
    ["commas", ", "],
    ["colons", ": "],
    ["spaces", " "],
    ["words", "a "],
  ])("is read in linear time, with many of any part: %s", (_, part) => {
    const text = `{"a":"${part.repeat(200_000)}`;
    for (const each of [text, `{"a":${part.repeat(200_000)}x`]) expect(() => parseRawJson(each)).toThrow(SyntaxError);
  });
});
