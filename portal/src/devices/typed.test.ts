/** What is typed into a field, before anything is sent. */
import { expect, test } from "vitest";
import { readNumber, readTypedJson } from "./control-of.ts";

test.each([
  ["21.5", 21.5],
  [" 21,5 ", 21.5],
  ["−3", -3],
  [".5", 0.5],
  ["1e3", 1000],
])("%j is a number", (text, value) => {
  expect(readNumber(text, false)).toEqual({ kind: "value", value });
});

test.each([
  ["warm", false, "Enter a number"],
  ["0x10", false, "Enter a number"],
  ["Infinity", false, "Enter a number"],
  ["1.5", true, "Enter a whole number"],
  ["101", false, "At most 100"],
  ["-1", false, "At least 0"],
])("%j (whole: %s) is none that can be set: %s", (text, isInteger, fault) => {
  expect(readNumber(text, isInteger, { min: 0, max: 100 })).toEqual({ kind: "fault", fault });
});

test("an empty field sets nothing", () => {
  expect(readNumber("  ", false)).toEqual({ kind: "nothing" });
  expect(readTypedJson(" ")).toEqual({ kind: "nothing" });
});

test("JSON is anything that is JSON", () => {
  expect(readTypedJson('{"a": [1, null]}')).toEqual({ kind: "value", value: { a: [1, null] } });
  expect(readTypedJson("{a: 1}").kind).toBe("fault");
});
