import { expect, test } from "vitest";
import { nestsDeeper } from "./json-depth.ts";

const levels = (count: number, inner = "") => `${"[".repeat(count)}${inner}${"]".repeat(count)}`;

test.for<[string, string, boolean]>([
  ["as many levels as may be", levels(3), false],
  ["one more", levels(4), true],
  ["objects and arrays together", '{"a":[{"b":[1,2,3]}]}', true],
  ["levels beside each other", "[[],[],[],[[]],{}]", false],
  ["brackets in a text", '["[[[[","{{{{"]', false],
  ["a quote in a text", '["\\"[[[[\\\\","[[[["]', false],
  ["a text without an end", '["[[[[[[[[', false],
  ["a text that ends in its escape", '[["aaaaaaaa\\', false],
  ["very many", levels(100_000), true],
])("%s", ([, text, deeper]) => {
  expect(nestsDeeper(text, 3)).toBe(deeper);
});
