/** Ages in words. */
import { expect, test } from "vitest";
import { ageOf, clockOf, momentOf, timeOf } from "./age.tsx";

test.each([
  [-3000, "now"],
  [4999, "now"],
  [5000, "5 s"],
  [59_999, "59 s"],
  [60_000, "1 min"],
  [3_600_000, "1 h"],
  [86_399_999, "23 h"],
  [86_400_000, "1 d"],
])("%i ms is %s", (ms, words) => {
  expect(ageOf(ms)).toBe(words);
});

test("a time of another day has its date", () => {
  const at = "2026-11-21 12:00:00Z";
  expect(momentOf(at, timeOf(at) + 60_000)).toBe(clockOf(at));
  expect(momentOf(at, timeOf(at) + 3 * 86_400_000)).toContain("2026");
});

test("the service's times are UTC", () => {
  expect(timeOf("2026-11-21 12:00:00Z")).toBe(Date.UTC(2026, 10, 21, 12));
});
