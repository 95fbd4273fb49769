import { expect, test } from "vitest";
import { movesTo } from "./property-value.ts";

test.for([
  ["is there", 40, 90, [40], true],
  ["comes closer", 40, 90, [90, 88], true],
  ["comes closer from below", 40, 0, [1], true],
  ["stands still", 40, 90, [90, 90, 90], false],
  ["goes the other way", 40, 90, [95, 100], false],
  ["was at an unknown position, and comes closer", 40, undefined, [90, 80], true],
  ["was at an unknown position, and stands still", 40, undefined, [90, 90], false],
  ["is within what it can tell apart", 40, 90, [40.4], true],
  ["moves by less than it can tell apart", 40, 90, [89.6], false],
  ["says no number", 40, 90, [null, "closing"], false],
] as const)("a device that %s", ([, target, from, reported, confirms]) => {
  const isSo = movesTo(target, from, 0.5);
  expect(reported.map((now) => isSo(now)).at(-1)).toBe(confirms);
});
