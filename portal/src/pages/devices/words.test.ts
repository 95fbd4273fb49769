/** Ages of what a device told. */
import { expect, test } from "vitest";
import { isFresh, latestOf } from "./words.ts";

test("a device's last report is the latest of its values", () => {
  const noon = "2026-11-21 12:00:00Z";
  expect(latestOf([undefined, noon, "2026-11-20 23:00:00Z"])).toBe(noon);
  expect(latestOf([])).toBeUndefined();
});

test("a value is fresh for a minute", () => {
  expect(isFresh(59_999)).toBe(true);
  expect(isFresh(60_000)).toBe(false);
  expect(isFresh(-5000)).toBe(true);
});
