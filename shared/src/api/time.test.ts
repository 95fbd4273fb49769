import fc from "fast-check";
import { expect, test } from "vitest";
import { formatTime } from "./time.ts";

test("a time is its UTC date and time to the second, as the platform's own calendar has it", () => {
  const lastOf9999 = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
  const calendar = (ms: number) =>
    new Date(ms)
      .toISOString()
      .replace("T", " ")
      .replace(/\.\d+Z$/, "Z");
  for (const ms of [0, 951_782_399_999, 951_782_400_000, 1_709_164_800_000, lastOf9999])
    expect(formatTime(ms)).toBe(calendar(ms));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: lastOf9999 }), (ms) => formatTime(ms) === calendar(ms)),
    { numRuns: 5000 },
  );
});

test("a fraction of a millisecond changes nothing", () => {
  expect(formatTime(1_795_248_774_106.75)).toBe("2026-11-21 08:12:54Z");
});
