import { expect, test } from "vitest";
import { MAX_VALUE_BYTES, MAX_VALUE_DEPTH, valueBreach } from "./value.ts";

const nested = (levels: number, inner: unknown = 1): unknown => {
  let value = inner;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

test.for<[string, unknown]>([
  ["nothing at present", null],
  ["a number", -0.5],
  ["an empty object in an empty array's place", [{}, []]],
  ["a text as long as may be", "a".repeat(MAX_VALUE_BYTES - 2)],
  ["as many items as may be", Array.from({ length: MAX_VALUE_BYTES / 2 - 1 }, () => 1)],
  ["as deep as may be", nested(MAX_VALUE_DEPTH)],
])("%s is a value", ([, value]) => {
  expect(valueBreach(value)).toBeUndefined();
});

test.for<[string, string, unknown]>([
  ["a text one byte too long", "too_large", "a".repeat(MAX_VALUE_BYTES - 1)],
  ["a text too long by its escapes", "too_large", "\u0001".repeat(MAX_VALUE_BYTES / 6 + 1)],
  ["a text too long in UTF-8", "too_large", "é".repeat(MAX_VALUE_BYTES / 2)],
  ["one item too many", "too_large", [...Array.from({ length: MAX_VALUE_BYTES / 2 - 1 }, () => 1), 1]],
  ["keys too long", "too_large", { ["k".repeat(MAX_VALUE_BYTES)]: 1 }],
  ["parts that are too large together", "too_large", ["a".repeat(10_000), { b: ["b".repeat(10_000)] }]],
  ["one level too many", "too_deep", nested(MAX_VALUE_DEPTH + 1)],
  ["U+0000 in a text", "bad_text", ["a\0"]],
  ["a lone surrogate in a key", "bad_text", [{ a: { "\ud800": 1 } }]],
  ["no value", "not_json", undefined],
  ["a number past any double", "not_json", [JSON.parse("1e999")]],
])("%s is refused as such", ([, breach, value]) => {
  expect(valueBreach(value)).toBe(breach);
});

test("what counts is the length of the JSON, to the byte", () => {
  const values = [{ a: [1, 2.5, true, false, null], "é\n": { "": "x" }, b: {}, c: [] }, "🏮", [[-0, 1e21]]];
  for (const value of values) {
    const bytes = Buffer.byteLength(JSON.stringify(value));
    const filler = (size: number) => [value, "a".repeat(size)];
    // Brackets, comma and quotes of the filler.
    const room = MAX_VALUE_BYTES - bytes - 5;
    expect(valueBreach(filler(room))).toBeUndefined();
    expect(valueBreach(filler(room + 1))).toBe("too_large");
  }
});

test("a value of any size is given up at the limit", () => {
  let looked = 0;
  const watched = (array: unknown[]) =>
    new Proxy(array, {
      get(target, key, receiver) {
        if (typeof key === "string" && /^\d+$/.test(key)) looked += 1;
        return Reflect.get(target, key, receiver);
      },
    });
  expect(valueBreach(watched(Array.from({ length: 1_000_000 }, () => 1)))).toBe("too_large");
  expect(looked).toBe(0);
  const deep = nested(100_000);
  expect(valueBreach(deep)).toBe("too_deep");
});
