import { describe, expect, test } from "vitest";
import { readTxt, txtStrings } from "./service-names.ts";

const strings = (...texts: string[]) => texts.map((text) => Buffer.from(text));

test.each([
  ["keys without regard to case", ["Gen=2", "APP=Plus1PM"], { gen: "2", app: "Plus1PM" }],
  ["the first of two equal keys", ["v=1", "V=2"], { v: "1" }],
  ["a key without a value, and one with an empty one", ["a", "b="], { a: "", b: "" }],
  ["a value with = and a line break in it", ["a=b=c\nd"], { a: "b=c\nd" }],
  ["no key that is empty or not ASCII", ["=1", "", "ü=2", "a\u0007=3"], {}],
])("a TXT record is read: %s", (_, texts, expected) => {
  expect({ ...readTxt(strings(...texts)) }).toEqual(expected);
});

test("a key with the name of a part of every object is a key like any other, and is not there by itself", () => {
  expect(readTxt(strings("__proto__=1", "constructor=2"))).toEqual(
    Object.assign(Object.create(null), JSON.parse('{"__proto__": "1", "constructor": "2"}')),
  );
  expect(Object.entries(readTxt(strings("__proto__=1")))).toEqual([["__proto__", "1"]]);
  expect(readTxt([]).constructor).toBeUndefined();
});

describe("what is no TXT record of a service", () => {
  test.each([
    ["a text", "v=1"],
    ["a list with a text in it", [Buffer.from("v=1"), "v=2"]],
    ["more than 1024 bytes", strings("v=1", "x".repeat(1022))],
    ["nothing", undefined],
  ])("%s", (_, data) => {
    expect(txtStrings(data)).toBeUndefined();
  });

  test("one string alone is one", () => {
    expect(txtStrings(Buffer.from("v=1"))).toEqual(strings("v=1"));
  });
});
