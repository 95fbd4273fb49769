/** Keys as terminals send them. */
import { expect, test } from "vitest";
import { keysIn, scrolled } from "./live-view.ts";

test("a key is known by the sequence that the terminal sends, and what means nothing is passed over", () => {
  expect(keysIn("x\u001b[Bé\u001b[6~q")).toEqual(["down", "pageDown", "quit"]);
  expect(keysIn("\u001bOA\u0003")).toEqual(["up", "interrupt"]);
  expect(keysIn("\u001b[1;5C")).toEqual([]);
});

test.each([
  [0, "up", 0],
  [0, "down", 1],
  [0, "pageDown", 10],
  [20, "pageDown", 25],
  [25, "down", 25],
  [7, "pageUp", 0],
  [7, "top", 0],
  [7, "bottom", 25],
  [7, "quit", 7],
] as const)("from row %i `%s` leads to row %i", (from, key, to) => {
  expect(scrolled(from, key, 10, 25)).toBe(to);
});
