/** Values and outcomes in words. */
import { expect, test } from "vitest";
import { outcomeWords, valueWords } from "./value-words.ts";

test.each<[unknown, string, string | undefined, string]>([
  [true, "on", undefined, "on"],
  [false, "open", undefined, "closed"],
  [true, "own", undefined, "yes"],
  [false, "constructor", undefined, "no"],
  [21.5, "celsius", "°C", "21.5 °C"],
  [0.1 + 0.2, "own", undefined, "0.3"],
  [37, "hue", "deg", "37°"],
  ["press", "event", undefined, "press"],
  [{ a: [1] }, "own", undefined, '{"a":[1]}'],
  [null, "own", "K", "no value"],
  [undefined, "own", "K", "no value"],
])("%j of `%s` in %s is written as %s", (value, property, unit, words) => {
  expect(valueWords(value, property, unit)).toBe(words);
});

test("a refusal states whether the device may have changed", () => {
  expect(outcomeWords({ name: "Hub Offline", outcome: "not_sent" })).toMatch(/Nothing was sent/);
  expect(outcomeWords({ name: "Hub Timeout", outcome: "unknown" })).toMatch(/may have acted/);
});
