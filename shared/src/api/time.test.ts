import fc from "fast-check";
import { expect, test } from "vitest";
import { formatTime } from "./time.ts";

/** The platform's own calendar. */
const swedish = new Intl.DateTimeFormat("sv-SE", { timeZone: "UTC", dateStyle: "short", timeStyle: "medium" });
const calendar = (ms: number) => `${swedish.format(ms)}Z`;
const LAST_OF_9999 = 253_402_300_799_999;

test("a time is its UTC date and time to the second, as the platform's own calendar has it", () => {
  for (const ms of [0, 951_782_399_999, 951_782_400_000, 1_709_164_800_000, LAST_OF_9999])
    expect(formatTime(ms)).toBe(calendar(ms));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: LAST_OF_9999 }), (ms) => formatTime(ms) === calendar(ms)),
    { numRuns: 5000 },
  );
});

test("a fraction of a millisecond changes nothing", () => {
  expect(formatTime(1_795_248_774_106.75)).toBe("2026-11-21 08:12:54Z");
});
