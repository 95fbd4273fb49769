import { describe, expect, it } from "vitest";
import { EMPTY_META, readMetaPrefix, replaceMeta, showMeta } from "./meta.ts";

const refused = expect.objectContaining({ name: "Metadata Format Invalid" });
const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });

describe("metadata", () => {
  it("replaces the whole object", () => {
    const first = replaceMeta(EMPTY_META, { a: 1, "$.b": 2 }, "$.");
    expect(showMeta(first, "$.")).toEqual({ a: 1, "$.b": 2 });
    expect(showMeta(replaceMeta(first, { c: [3] }, "$."), "$.")).toEqual({ c: [3] });
    expect(replaceMeta(first, {}, "$.")).toBe(EMPTY_META);
  });

  it("keeps the same system metadata under any prefix", () => {
    const stored = replaceMeta(EMPTY_META, { "sys:name": "lamp", "$.name": "an ordinary key of its own" }, "sys:");
    expect(showMeta(stored, "sys:")).toEqual({ "sys:name": "lamp", "$.name": "an ordinary key of its own" });
    expect(showMeta(stored, "$.")).toEqual({ "$.name": "lamp" });
  });

  it("keeps an ordinary key that begins with the reader's prefix out of the answer and out of harm", () => {
    const stored = replaceMeta(EMPTY_META, { "$.hidden": 1, seen: 2 }, "sys:");
    expect(showMeta(stored, "$.")).toEqual({ seen: 2 });
    const after = replaceMeta(stored, { other: 3 }, "$.");
    expect(showMeta(after, "$.")).toEqual({ other: 3 });
    expect(showMeta(after, "sys:")).toEqual({ "$.hidden": 1, other: 3 });
  });

  it("takes any JSON string as a key, `__proto__` included", () => {
    const given = JSON.parse('{"__proto__": {"x": 1}, "$.__proto__": 2, "constructor": 3, "": 4}');
    const shown = showMeta(replaceMeta(EMPTY_META, given, "$."), "$.");
    expect(JSON.parse(JSON.stringify(shown))).toEqual(given);
    expect(Object.hasOwn({}, "x")).toBe(false);
  });

  it("is removed by null, as an alias is: all that the prefix lets the client see", () => {
    const stored = replaceMeta(EMPTY_META, { a: 1, "$.b": 2, "sys:c": 3 }, "$.");
    expect(replaceMeta(stored, null, "$.")).toBe(replaceMeta(stored, {}, "$."));
    expect(showMeta(replaceMeta(stored, null, "sys:"), "$.")).toEqual(showMeta(replaceMeta(stored, {}, "sys:"), "$."));
    expect(replaceMeta(EMPTY_META, null, "$.")).toBe(EMPTY_META);
  });

  it.each([1, "x", true, [], [1]])("refuses %j, which is no object", (given) => {
    expect(() => replaceMeta(EMPTY_META, given, "$.")).toThrow(refused);
  });

  it("is at most 32 levels deep and 64 KiB large", () => {
    expect(() => replaceMeta(EMPTY_META, nested(32), "$.")).not.toThrow();
    expect(() => replaceMeta(EMPTY_META, nested(33), "$.")).toThrow(refused);
    expect(() => replaceMeta(EMPTY_META, { a: "x".repeat(64 * 1024 - 8) }, "$.")).not.toThrow();
    expect(() => replaceMeta(EMPTY_META, { a: "x".repeat(64 * 1024 - 7) }, "$.")).toThrow(refused);
  });

  it("does not grow past its limit by writing under one prefix after another", () => {
    const first = replaceMeta(EMPTY_META, { "b:": "x".repeat(40_000) }, "$.");
    expect(() => replaceMeta(first, { "c:": "x".repeat(40_000) }, "b:")).toThrow(refused);
  });

  it("refuses a key that is only the prefix", () => {
    expect(() => replaceMeta(EMPTY_META, { "$.": 1 }, "$.")).toThrow(refused);
    expect(() => replaceMeta(EMPTY_META, { "$.": 1 }, "sys:")).not.toThrow();
  });

  it("survives read, modify and write of a physical device, and its name is the client's once written", () => {
    const about = { manufacturer: "Acme", name: "Lamp 3000", hub: "cli_1" };
    const read = showMeta(EMPTY_META, "$.", about);
    expect(read).toEqual({ "$.manufacturer": "Acme", "$.name": "Lamp 3000", "$.hub": "cli_1" });
    const back = replaceMeta(
      EMPTY_META,
      { ...read, "$.manufacturer": "Mine", "$.serial": "9", "$.room": "hall" },
      "$.",
      about,
    );
    expect(showMeta(back, "$.", { ...about, name: "Lamp 3001" })).toEqual({
      "$.manufacturer": "Acme",
      "$.name": "Lamp 3001",
      "$.hub": "cli_1",
      "$.room": "hall",
    });
    const named = replaceMeta(back, { "$.name": "Mum's lamp" }, "$.", about);
    expect(showMeta(named, "$.", about)).toMatchObject({ "$.name": "Mum's lamp" });
  });

  it.each(["", "x".repeat(17), 'a"', "a'", "ü", "a\tb"])("refuses the prefix %j", (prefix) => {
    expect(() => readMetaPrefix(prefix)).toThrow(expect.objectContaining({ name: "Metadata Prefix Invalid" }));
  });
});
