import { describe, expect, test } from "vitest";
import { type Known, learn } from "./values.ts";

const known: Known = { value: { a: 1, b: [true] }, number: 5, writtenAt: 1000 };

describe("what a learned value does to the store", () => {
  test.each([
    ["the first value is stored", undefined, 1, false, 1000, "store"],
    ["another value is stored", known, { a: 2, b: [true] }, false, 1001, "store"],
    ["an equal value is kept, with its keys in any order", known, { b: [true], a: 1 }, false, 60_999, "keep"],
    ["an equal value is stored after a minute", known, { a: 1, b: [true] }, false, 61_000, "store"],
    ["an event is stored, equal or not", known, { a: 1, b: [true] }, true, 1001, "store"],
  ] as const)("%s", (_title, before, value, event, now, expected) => {
    expect(learn(before, value, event, now)).toBe(expected);
  });
});
