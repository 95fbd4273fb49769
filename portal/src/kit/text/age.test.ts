/** Ages in words. */
import { expect, test } from "vitest";
import { ageOf, momentOf, timeOf } from "./age.tsx";

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

test("the service's times are UTC", () => {
  expect(timeOf("2026-11-21 12:00:00Z")).toBe(Date.UTC(2026, 10, 21, 12));
});

test("a time on another day includes the day", () => {
  const at = new Date(2026, 10, 21, 23, 59, 30).getTime();
  expect(momentOf(at, at + 20_000)).toBe(new Date(at).toLocaleTimeString());
  expect(momentOf(at, at + 60_000)).toBe(new Date(at).toLocaleString());
});
