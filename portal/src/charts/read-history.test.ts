/** The readings of a moment, of columns of pixels, of axes and of panels. */
import { describe, expect, test } from "vitest";
import { columnsOf, rangeOf } from "./extremes.ts";
import { type Drawn, OTHERS, panelsOf, type SeriesPlan } from "./plan.ts";
import { readAt, readingRowsOf, readingWords } from "./read-history.ts";

const NONE = Number.NaN;
const ONE = Float64Array.of(1, NONE);
const line = (...corners: readonly (readonly [number, number])[]) => ({
  xs: Float64Array.from(corners.map(([x]) => x)),
  ys: Float64Array.from(corners.map(([, y]) => y)),
});
const step = (...corners: readonly (readonly [number, number])[]): Drawn => ({ kind: "step", line: line(...corners) });
const plan = (drawn: Drawn, more: Partial<SeriesPlan> = {}): SeriesPlan => ({
  ...{ key: "one", unit: undefined, resolution: "raw", gaps: [], drawn },
  ...more,
});
const bars: Drawn = {
  kind: "bars",
  bars: [
    { from: 0, to: 10, value: 2, isPartial: false },
    { from: 20, to: 30, value: 4, isPartial: true },
  ],
};

describe("a moment", () => {
  const broken = step([10, 1], [20, 2], [30, NONE], [40, 3], [50, NONE]);
  const gaps = [{ from: 30, to: 40, reason: "hub_offline" as const }];
  test.each([
    ["before anything is known", 5, "nothing known"],
    ["where a value begins", 10, "1"],
    ["where it is held", 19, "1"],
    ["in a gap", 30, "unknown: hub offline"],
    ["after it", 40, "3"],
    ["at the end", 50, "nothing known"],
  ])("%s", (_, at, expected) => {
    expect(readingWords(readAt(plan(broken, { gaps }), at, 0), String)).toBe(expected);
  });

  test("of means it is that of its step", () => {
    const steps = [{ from: 0, to: 10, mean: 1, min: 0, max: 2 }];
    const means = plan({ kind: "mean", line: line([5, 1], [10, NONE]), lows: ONE, highs: ONE, steps });
    expect(readingWords(readAt(means, 1, 0), String)).toBe("1 (mean; 0 to 2)");
    expect(readingWords(readAt(means, 10, 0), String)).toBe("nothing known");
  });

  test("of bars it is the bar, and none between them", () => {
    expect(readAt(plan(bars), 5, 0)).toEqual({ kind: "growth", value: 2, isPartial: false });
    expect(readAt(plan(bars), 15, 0)).toEqual({ kind: "nothing" });
    expect(readingWords(readAt(plan(bars), 25, 0), String)).toBe("4 or more (incomplete)");
  });

  test("of marks it is the nearest that is near enough", () => {
    const marks = plan({
      kind: "marks",
      marks: [
        { at: 10, value: "a" },
        { at: 20, value: "b" },
      ],
    });
    expect(readAt(marks, 14, 5)).toEqual({ kind: "value", value: "a" });
    expect(readAt(marks, 30, 5)).toEqual({ kind: "nothing" });
  });

  test("shares are in percent, and a small share is not zero", () => {
    const parts = [
      { value: "heat", share: 0.5 },
      { value: OTHERS, share: 0.001 },
    ];
    const reading = readAt(plan({ kind: "shares", steps: [{ from: 0, to: 10, parts }] }), 3, 0);
    expect(readingWords(reading, String)).toBe("heat 50 %, others under 1 %");
  });
});

test("the table has what is seen, the newest first, with what is not known", () => {
  const gaps = [{ from: 30, to: 40, reason: "not_recorded" as const }];
  const rows = readingRowsOf(
    [plan(step([10, 1], [30, NONE], [40, 2], [90, 3]), { gaps }), plan(bars, { key: "two" })],
    {
      from: 5,
      to: 50,
    },
  );
  expect(rows.map(({ at, key, reading }) => `${at} ${key} ${readingWords(reading, String)}`)).toEqual([
    "40 one 2",
    "30 one unknown: not recorded",
    "20 two 4 or more (incomplete)",
    "10 one 1",
    "0 two 2",
  ]);
});

describe("columns of pixels", () => {
  const span = { from: 0, to: 100 };

  test("a value goes on to where the next begins, and to where the line ends", () => {
    expect(columnsOf(line([10, 1], [50, 2], [80, NONE]), span, 100)).toEqual([
      { x: 10, first: 1, low: 1, high: 1, last: 1, isJoined: false, until: 50 },
      { x: 50, first: 2, low: 2, high: 2, last: 2, isJoined: true, until: 80 },
    ]);
  });

  test("many values of one column are the first, the least, the most and the last of them", () => {
    expect(columnsOf(line([10, 5], [10.1, 9], [10.2, 1], [10.3, 4], [20, NONE]), span, 100)).toEqual([
      { x: 10, first: 5, low: 1, high: 9, last: 4, isJoined: false, until: 20 },
    ]);
  });

  test("what began before comes in at the edge, and what goes on leaves at the other", () => {
    expect(columnsOf(line([-50, 7], [200, NONE]), span, 100)).toEqual([
      { x: 0, first: 7, low: 7, high: 7, last: 7, isJoined: false, until: 100 },
    ]);
    expect(columnsOf(line([-50, 7], [-10, NONE]), span, 100)).toEqual([]);
  });

  test("a break within one column joins nothing", () => {
    const columns = columnsOf(line([10, 5], [10.1, NONE], [10.2, 6], [30, NONE]), span, 100);
    expect(columns.map(({ x, isJoined, until }) => [x, isJoined, until])).toEqual([
      [10, false, 10],
      [10, false, 30],
    ]);
  });

  test("100,000 values are no more columns than there are pixels", () => {
    const many = Array.from({ length: 100_000 }, (_, at) => [at / 1000, at % 7] as const);
    expect(columnsOf(line(...many), span, 500).length).toBeLessThanOrEqual(501);
  });
});

describe("an axis", () => {
  const span = { from: 0, to: 100 };
  test.each<[string, readonly SeriesPlan[], number, number]>([
    ["of nothing", [], 0, 1],
    ["of one value has room around it", [plan(step([0, 20], [50, NONE]))], 18, 22],
    ["of zero alone", [plan(step([0, 0], [50, NONE]))], -1, 1],
    ["has what is seen only, and what is held from before", [plan(step([-10, 0], [50, 100], [150, 900]))], -6, 106],
    ["of bars begins at zero", [plan(bars)], 0, 4.24],
  ])("%s", (_, plans, min, max) => {
    const range = rangeOf(plans, span);
    expect(range.min).toBeCloseTo(min);
    expect(range.max).toBeCloseTo(max);
  });
});

test("numbers of two units share a panel, bars have one by unit, states have timelines", () => {
  const number = (key: string, unit: string) => plan(step(), { key, unit });
  const panels = panelsOf([
    ...[number("a", "°C"), number("b", "%"), number("c", "°C"), number("d", "hPa")],
    plan(bars, { key: "e", unit: "kWh" }),
    plan({ kind: "bands", bands: [] }, { key: "f" }),
    plan({ kind: "marks", marks: [] }, { key: "g" }),
    plan({ kind: "counts", bars: [] }, { key: "h" }),
  ]);
  const keys = (plans: readonly SeriesPlan[] | undefined) => plans?.map(({ key }) => key).join("");
  expect(
    panels.map((panel) =>
      panel.kind === "timelines"
        ? ["timelines", keys(panel.plans)]
        : [panel.kind, keys(panel.left.plans), panel.kind === "lines" ? keys(panel.right?.plans) : undefined],
    ),
  ).toEqual([
    ["lines", "ac", "b"],
    ["lines", "d", undefined],
    ["bars", "e", undefined],
    ["bars", "h", undefined],
    ["timelines", "fg"],
  ]);
});
