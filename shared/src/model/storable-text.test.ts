import { expect, test } from "vitest";
import { isStorable, mayBeUnstorable, storableJson, storableText } from "./text.ts";

test("text is storable when every store keeps it and every receiver can read it", () => {
  expect(["", "🏮", "\u0001", "\ufffd"].every(isStorable)).toBe(true);
  expect(["\0", "a\udfff", "\ud83c", "\udfee\ud83c"].some(isStorable)).toBe(false);
});

test("text that is not storable keeps all its other characters", () => {
  expect(storableText("Lamp\0 \ud83c🏮")).toBe("Lamp\ufffd \ufffd🏮");
  expect(storableText("🏮")).toBe("🏮");
});

test.for([
  ["a\0b", "a\ufffdb"],
  [{ "\ud800": ["\udc00", "🏮", 1, null] }, { "\ufffd": ["\ufffd", "🏮", 1, null] }],
  ["\ud83c\ud83c\udfee\udfee", "\ufffd🏮\ufffd"],
  // Text that only looks like an escape.
  ["\\u0000", "\\u0000"],
  ["\\\0", "\\\ufffd"],
] as const)("the JSON of %j is that of %j once it is storable", ([given, expected]) => {
  expect(JSON.parse(storableJson(JSON.stringify(given)))).toEqual(expected);
});

test("escapes in upper case and escaped pairs are read as they are meant", () => {
  expect(storableJson(String.raw`["\uD83C\uDFEE","\uDFEE","\u00000"]`)).toBe(
    String.raw`["\uD83C\uDFEE","\ufffd","\ufffd0"]`,
  );
});

test("JSON without such an escape is not looked at twice", () => {
  const json = JSON.stringify({ name: "Küche 🏮", line: "\n\t\u0001" });
  expect([mayBeUnstorable(json), storableJson(json)]).toEqual([false, json]);
});
