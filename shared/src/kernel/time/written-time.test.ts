import fc from "fast-check";
import { expect, test } from "vitest";
import { formatTime, parseTime } from "./written-time.ts";

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

test("a time that was written can be read, and what is no time cannot", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: LAST_OF_9999 }), (ms) => parseTime(formatTime(ms)) === ms - (ms % 1000)),
    { numRuns: 5000 },
  );
  expect(parseTime("2026-11-21T08:12:54.107Z")).toBe(1_795_248_774_000);
  for (const text of [
    "2026-02-29 00:00:00Z",
    "2026-11-21 24:00:00Z",
    "2026-11-21",
    "2026-11-21 08:12:54",
    "",
    "1969-12-31 23:59:59Z",
  ])
    expect(parseTime(text)).toBeUndefined();
});
