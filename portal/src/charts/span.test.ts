/** Which time is shown after each thing that a person can do. */
import { describe, expect, test } from "vitest";
import { coarser, isForgotten, resolutionFor } from "./fetch-series.ts";
import { DAY, fetched, fixed, HOUR, isWithin, moved, spanOfView, zoomed } from "./span.ts";

const NOW = Date.UTC(2026, 10, 5, 12);
const hour = { from: NOW - HOUR, to: NOW };

test("the latest hour goes on with the clock, and a fixed time stands still", () => {
  expect(spanOfView({ kind: "recent", length: HOUR }, NOW)).toEqual(hour);
  expect(spanOfView({ kind: "fixed", from: 1, to: 2 }, NOW)).toEqual({ from: 1, to: 2 });
});

test("a span that was drawn from right to left is turned around, and one that is too short is made longer around its middle", () => {
  expect(fixed(NOW, NOW - HOUR)).toEqual({ kind: "fixed", ...hour });
  expect(fixed(NOW, NOW + 2)).toEqual({ kind: "fixed", from: NOW + 1 - 5000, to: NOW + 1 + 5000 });
});

test("what is zoomed around keeps its place", () => {
  expect(zoomed(hour, 0.5, NOW - HOUR / 4)).toEqual({ kind: "fixed", from: NOW - (HOUR * 5) / 8, to: NOW - HOUR / 8 });
  expect(zoomed({ from: NOW - 10_000, to: NOW }, 0.1, NOW)).toEqual({ kind: "fixed", from: NOW - 10_000, to: NOW });
});

test("nothing is shown that is later than now", () => {
  expect(moved(hour, -0.5, NOW)).toEqual({ kind: "fixed", from: NOW - 1.5 * HOUR, to: NOW - 0.5 * HOUR });
  expect(moved(hour, 0.5, NOW)).toEqual({ kind: "fixed", ...hour });
});

test("what is fetched has room on both sides, and is the same after a small step", () => {
  const asked = fetched(hour, NOW);
  expect(isWithin(hour, asked)).toBe(true);
  const later = NOW + 1000;
  expect(fetched({ from: hour.from + 1000, to: later }, later)).toEqual(asked);
  expect(asked.to - asked.from).toBeLessThan(3 * HOUR);
});

describe("resolution", () => {
  test.each([
    ["number", HOUR, "raw"],
    ["number", DAY, "raw"],
    ["number", 7 * DAY, "5m"],
    ["number", 30 * DAY, "1h"],
    ["number", 365 * DAY, "1d"],
    ["number", 15 * 365 * DAY, "1mo"],
    ["total", HOUR, "5m"],
    ["total", DAY, "1h"],
    ["total", 30 * DAY, "1d"],
    ["total", 365 * DAY, "1mo"],
    ["state", 30 * DAY, "raw"],
    ["state", 365 * DAY, "1d"],
    ["event", 7 * DAY, "raw"],
    ["event", 365 * DAY, "1d"],
    [undefined, 7 * DAY, "5m"],
    ["kind of a newer service" as "state", 30 * DAY, "raw"],
  ] as const)("of a %s over %i ms is %s", (kind, length, expected) => {
    expect(resolutionFor(length, kind)).toBe(expected);
  });

  test("there is a coarser one up to months", () => {
    expect((["raw", "5m", "1h", "1d", "1mo"] as const).map(coarser)).toEqual(["5m", "1h", "1d", "1mo", undefined]);
  });

  test("changes that are no longer kept are asked for as statistics, and a time in which nothing happened is not", () => {
    const range = { from: "2026-11-01 00:00:00Z", to: "2026-11-02 00:00:00Z" };
    const named = { deviceId: "dev_1", service: "A", index: "0", property: "b", kind: "number" as const, points: [] };
    const page = (more: object) => ({ items: [{ ...named, ...more }], resolution: "raw" as const, range });
    const gap = { from: range.from, until: range.to };
    expect(isForgotten(page({ gaps: [{ ...gap, reason: "not_recorded" }] }))).toBe(true);
    expect(isForgotten(page({ gaps: [{ ...gap, reason: "hub_offline" }] }))).toBe(false);
    expect(
      isForgotten(page({ gaps: [{ from: "2026-11-01 06:00:00Z", until: range.to, reason: "not_recorded" }] })),
    ).toBe(false);
    expect(isForgotten(page({}))).toBe(false);
  });
});
