import { expect, it } from "vitest";
import { type Named, nameOf } from "./index.ts";

const id = "dev_1";
const CASES: readonly [Named, string, string][] = [
  [{ id, alias: "lamp", meta: { "$.name": "Reading lamp" } }, "Reading lamp", "its name stands before its alias"],
  [{ id, meta: { "$.name": " Reading lamp " } }, "Reading lamp", "blanks around a name are no part of it"],
  [{ id, alias: "lamp", meta: { "$.name": "  " } }, "lamp", "a name of blanks is none"],
  [{ id, alias: "lamp", meta: { "$.name": 7 } }, "lamp", "a name that is no text is none"],
  [{ id, alias: "lamp", meta: { name: "Mine" } }, "lamp", "a key of a client's own is no name"],
  [{ id, alias: "lamp" }, "lamp", "without metadata there is the alias"],
  [{ id, alias: null, meta: {} }, id, "without either there is the ID"],
  [{ id }, id, "nor has a thing without anything more than its ID"],
];

it.each(CASES)("what is shown of %j is %s: %s", (named, shown) => {
  expect(nameOf(named)).toBe(shown);
});
