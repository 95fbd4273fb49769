/** Where things stand in a chart, and where nothing does. */
import { describe, expect, test } from "vitest";
import { type ChartInput, chartOf } from "./chart.ts";

const MINUTE = 60_000;
const input = (more: Partial<ChartInput>): ChartInput => ({
  points: [],
  gaps: [],
  now: 10 * MINUTE,
  isOccurrence: false,
  ...more,
});
const points = [
  { at: 0, value: 20 },
  { at: 5 * MINUTE, value: 25 },
];

test("without a value there is no chart", () => {
  expect(chartOf(input({}))).toBeUndefined();
});

test("a value of unknown age is not drawn: no place on the axis would be true", () => {
  const unknown = { at: undefined, value: 80 };
  expect(chartOf(input({ points: [unknown] }))).toBeUndefined();
  expect(chartOf(input({ points: [unknown, ...points] }))).toEqual(chartOf(input({ points })));
});

test("a value holds until the next, and the last one until now", () => {
  const chart = chartOf(input({ points }));
  expect(chart?.lines).toEqual([
    [
      { x: 0, y: 0 },
      { x: 0.5, y: 0 },
      { x: 0.5, y: 1 },
      { x: 1, y: 1 },
    ],
  ]);
  expect(chart?.levels).toEqual([
    { y: 0, value: 20 },
    { y: 1, value: 25 },
  ]);
});

describe("where nothing was told", () => {
  test("no line is drawn, and none is made up on the other side", () => {
    const gaps = [{ from: 2 * MINUTE, to: 4 * MINUTE }];
    const chart = chartOf(input({ points, gaps }));
    expect(chart?.gaps).toEqual([{ from: 0.2, to: 0.4 }]);
    expect(chart?.lines.map((line) => line.map(({ x }) => x))).toEqual([
      [0, 0.2],
      [0.4, 0.5, 0.5, 1],
    ]);
  });

  test("a gap that has not ended reaches to now", () => {
    const chart = chartOf(input({ points, gaps: [{ from: 8 * MINUTE, to: undefined }] }));
    expect(chart?.lines.flat().at(-1)).toEqual({ x: 0.8, y: 1 });
    expect(chart?.gaps).toEqual([{ from: 0.8, to: 1 }]);
  });

  test("a value that was told in a gap ends it for the line", () => {
    const chart = chartOf(input({ points, gaps: [{ from: 4 * MINUTE, to: 6 * MINUTE }] }));
    expect(chart?.lines.map((line) => line.map(({ x }) => x))).toEqual([
      [0, 0.4],
      [0.6, 1],
    ]);
    expect(chart?.spots).toHaveLength(2);
  });
});

test("yes and no stand one above the other, also before both have been", () => {
  const chart = chartOf(input({ points: [{ at: 0, value: true }] }));
  expect(chart?.levels).toEqual([
    { y: 0, value: false },
    { y: 1, value: true },
  ]);
  expect(chart?.lines[0]?.[0]?.y).toBe(1);
});

test("words stand in the order of the description, those only that were told", () => {
  const told = ["heat", "off"].map((value, at) => ({ at: at * MINUTE, value }));
  const chart = chartOf(input({ points: told, values: ["off", "cool", "heat"] }));
  expect(chart?.levels.map(({ value }) => value)).toEqual(["off", "heat"]);
});

test("what happens and is over has no line", () => {
  const chart = chartOf(input({ points: [{ at: 0, value: "press" }], isOccurrence: true }));
  expect(chart?.lines).toEqual([]);
  expect(chart?.spots).toEqual([{ x: 0, y: 0.5 }]);
});

test("a first second is not stretched over the whole width", () => {
  const chart = chartOf(input({ points: [{ at: 10 * MINUTE - 1000, value: 1 }] }));
  expect(chart?.to).toBe(10 * MINUTE);
  expect(chart?.from).toBe(9 * MINUTE);
});
