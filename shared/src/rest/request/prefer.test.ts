/** What of a `Prefer` header is honoured. */
import { expect, it } from "vitest";
import { readPrefer } from "./headers.ts";

it.each([
  [undefined, 10_000, undefined],
  ["wait=5", 5_000, "wait=5"],
  ['wait="5"', 5_000, "wait=5"],
  ["Wait = 5", 5_000, "wait=5"],
  ["respond-async, wait=20; strict", 20_000, "wait=20"],
  ["wait=0", 1_000, "wait=1"],
  ["wait=3600", 60_000, "wait=60"],
  ["wait=5, wait=9", 5_000, "wait=5"],
  ["wait=-1", 10_000, undefined],
  ["wait=soon", 10_000, undefined],
  ["wait", 10_000, undefined],
  ["return=minimal", 10_000, undefined],
  ["", 10_000, undefined],
])("%j waits %d ms and says %j", (header, waitMs, applied) => {
  expect(readPrefer(header)).toEqual({ waitMs, applied });
});
