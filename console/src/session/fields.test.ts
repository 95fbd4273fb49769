/** Fields, durations and moments as they are written on a command line. */
import { VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { Args } from "./args.ts";
import { aliasOf, changedMeta, keyAndValue, metaChange, momentOf, secondsOf, wholeMeta } from "./fields.ts";

const args = (options: Record<string, unknown>) => new Args([], [], options);

test.each([
  ["floor=2", "floor", 2],
  ["name=Küche", "name", "Küche"],
  ["formula=a=b", "formula", "a=b"],
  ["none=", "none", ""],
  ["gone=null", "gone", null],
  ['list=["a"]', "list", ["a"]],
  ['text="2"', "text", "2"],
  ["__proto__=1", "__proto__", 1],
])("%s", (text, key, value) => {
  expect(keyAndValue(text)).toEqual([key, value]);
});

test.each(["floor", "=2", ""])("`%s` is no key with a value", (text) => {
  expect(() => keyAndValue(text)).toThrow("is not KEY=VALUE");
});

test("keys are set and taken away, any key at all, and all others stay", () => {
  const change = metaChange(args({ "set-meta": ["a=1", "__proto__=2"], "unset-meta": ["b"] }));
  const changed = change && changedMeta({ a: 0, b: 1, "$.name": "Lamp" }, change);
  expect(JSON.stringify(changed)).toBe('{"a":1,"$.name":"Lamp","__proto__":2}');
  expect(metaChange(args({}))).toBeUndefined();
});

test("metadata is an object, and one source gives it", () => {
  expect(wholeMeta(args({ meta: ['{"a": 1}'] }))).toEqual({ a: 1 });
  for (const wrong of ["[]", "7", "null", "{a}"])
    expect(() => wholeMeta(args({ meta: [wrong] }))).toThrow(/is not( a)? JSON/);
  expect(() => wholeMeta(args({ meta: ["{}"], "meta-file": ["x"] }))).toThrow("exclude each other");
  expect(() => wholeMeta(args({ "meta-file": ["/nowhere"] }))).toThrow("/nowhere cannot be read");
});

test("an alias is given, taken away or left alone", () => {
  expect([aliasOf(args({ alias: ["a"] })), aliasOf(args({ "no-alias": true })), aliasOf(args({}))]).toEqual([
    { alias: "a" },
    { alias: null },
    {},
  ]);
  expect(() => aliasOf(args({ alias: ["a"], "no-alias": true }))).toThrow("exclude each other");
});

test.each([
  ["90", 90],
  ["90s", 90],
  ["15m", 900],
  ["2h", 7200],
  ["30d", 2_592_000],
])("%s is %i seconds", (text, seconds) => {
  expect(secondsOf(text, "ttl")).toBe(seconds);
});

test.each(["", "h", "1.5h", "-1s", "2 h", "1w"])("`%s` is no duration", (text) => {
  expect(() => secondsOf(text, "ttl")).toThrow("--ttl takes a duration");
});

test.each([
  ["2h", "2025-12-31 22:00:00Z"],
  ["2026-11-05T14:03:07Z", "2026-11-05 14:03:07Z"],
  ["2026-11-05 14:03:07Z", "2026-11-05 14:03:07Z"],
  ["yesterday", "yesterday"],
])("the moment %s is %s", (text, expected) => {
  expect(momentOf(text, new VirtualClock(1_767_225_600_000))).toBe(expected);
});
