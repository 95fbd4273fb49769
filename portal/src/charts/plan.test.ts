/** What is drawn of an answer, and where nothing is. */
import type { HistoryKind } from "@porchlight/shared/api";
import { describe, expect, test } from "vitest";
import { type Drawn, OTHERS, planOf } from "./plan.ts";
import { at, BEGIN, corners, type Given, gap, keyOf, MINUTE, page, raw, series } from "./planned-series.fixture.ts";
import { recordedOf, serviceTimeOf } from "./planned-series.ts";

const drawn = (given: Given, now = 10): Drawn => planOf(series(given), BEGIN + now * MINUTE).drawn;

test("a series of a kind that only a newer service has is drawn as a state", () => {
  const kind = "span" as HistoryKind;
  expect(drawn({ kind, points: raw([2, "open"]) })).toEqual(drawn({ kind: "state", points: raw([2, "open"]) }));
  expect(drawn({ kind, resolution: "1h" }).kind).toBe("shares");
});

describe("numbers, change by change", () => {
  test.each<[string, Given, readonly (readonly [number, number])[]]>([
    [
      "a value holds until the next, and the last until now",
      { points: raw([2, 20], [5, 25]) },
      [
        [2, 20],
        [5, 25],
        [10, Number.NaN],
      ],
    ],
    [
      "the value before the range begins the line at the range's beginning",
      { before: { at: at(-60), value: 18 }, points: raw([5, 25]) },
      [
        [0, 18],
        [5, 25],
        [10, Number.NaN],
      ],
    ],
    [
      "without one there is no line before the first change",
      { points: raw([5, 25]) },
      [
        [5, 25],
        [10, Number.NaN],
      ],
    ],
    [
      "a gap breaks the line, and the value goes on after it",
      { points: raw([0, 20], [8, 21]), gaps: [gap(2, 4)] },
      [
        [0, 20],
        [2, Number.NaN],
        [4, 20],
        [8, 21],
        [10, Number.NaN],
      ],
    ],
    [
      "a gap that lasts reaches to now",
      { points: raw([0, 20]), gaps: [gap(7, undefined)] },
      [
        [0, 20],
        [7, Number.NaN],
      ],
    ],
    [
      "two gaps, one of which begins in one value and ends in the next",
      { points: raw([0, 20], [5, 25]), gaps: [gap(1, 2), gap(4, 6)] },
      [
        [0, 20],
        [1, Number.NaN],
        [2, 20],
        [4, Number.NaN],
        [6, 25],
        [10, Number.NaN],
      ],
    ],
    [
      "a gap over several values",
      { points: raw([0, 20], [3, 21], [4, 22], [8, 23]), gaps: [gap(2, 6)] },
      [
        [0, 20],
        [2, Number.NaN],
        [6, 22],
        [8, 23],
        [10, Number.NaN],
      ],
    ],
    [
      "a gap that begins with the value",
      { points: raw([0, 20]), gaps: [gap(0, 3)] },
      [
        [3, 20],
        [10, Number.NaN],
      ],
    ],
    [
      "null: there was no value from then on",
      { points: raw([0, 20], [4, null], [6, 21]) },
      [
        [0, 20],
        [4, Number.NaN],
        [6, 21],
        [10, Number.NaN],
      ],
    ],
    [
      "what is no number has no place on the axis",
      { points: raw([0, "hot"], [4, 21]) },
      [
        [0, Number.NaN],
        [4, 21],
        [10, Number.NaN],
      ],
    ],
    [
      "a point whose time is unknown is not drawn",
      { points: [{ at: "", value: 5 }, ...raw([4, 21])] },
      [
        [4, 21],
        [10, Number.NaN],
      ],
    ],
    [
      "of two changes within one second both are drawn",
      { points: raw([2, 20], [2, 90], [5, 25]) },
      [
        [2, 20],
        [2, 90],
        [5, 25],
        [10, Number.NaN],
      ],
    ],
    ["nothing, of nothing", {}, []],
  ])("%s", (_, given, expected) => {
    expect(corners(drawn(given))).toEqual(expected);
  });

  test("a meter's readings are a line as well", () => {
    expect(corners(drawn({ kind: "total", points: raw([0, 4]) }))).toEqual([
      [0, 4],
      [10, Number.NaN],
    ]);
  });
});

describe("statistics", () => {
  const means = [0, 5, 15].map((minute) => ({ at: at(minute), mean: minute, min: minute - 1, max: minute + 1 }));

  test("a mean stands in the middle of its step, and where a step is missing the line is broken", () => {
    const what = drawn({ resolution: "5m", points: means, to: 20 }, 20);
    expect(corners(what)).toEqual([
      [2.5, 0],
      [7.5, 5],
      [10, Number.NaN],
      [17.5, 15],
      [20, Number.NaN],
    ]);
    expect(what.kind === "mean" && [...what.lows]).toEqual([-1, 4, Number.NaN, 14, Number.NaN]);
  });

  test("growth is a bar as long as its step, paler where only a part of it is known", () => {
    const points = [
      { at: at(0), growth: 1.5, knownSeconds: 300 },
      { at: at(5), growth: 0.5, knownSeconds: 120 },
    ];
    expect(drawn({ kind: "total", resolution: "5m", points })).toEqual({
      kind: "bars",
      bars: [
        { from: BEGIN, to: BEGIN + 5 * MINUTE, value: 1.5, isPartial: false },
        { from: BEGIN + 5 * MINUTE, to: BEGIN + 10 * MINUTE, value: 0.5, isPartial: true },
      ],
    });
  });

  test("a day is as long as its day, also when the clocks change", () => {
    const spring = new Date(2026, 2, 29);
    const next = new Date(2026, 2, 30);
    const points = [{ at: serviceTimeOf(spring.getTime()), growth: 2 }];
    const what = drawn({ kind: "total", resolution: "1d", points });
    expect(what.kind === "bars" && what.bars[0]).toMatchObject({ from: spring.getTime(), to: next.getTime() });
  });

  test("states share a step by how long they were so; what is not known of it stays empty", () => {
    const states = [
      { value: "heat", seconds: 150 },
      { value: "off", seconds: 60 },
    ];
    const what = drawn({ kind: "state", resolution: "5m", points: [{ at: at(0), states, otherStatesSeconds: 30 }] });
    expect(what.kind === "shares" && what.steps[0]?.parts).toEqual([
      { value: "heat", share: 0.5 },
      { value: "off", share: 0.2 },
      { value: OTHERS, share: 0.1 },
    ]);
  });

  test("happenings are counted", () => {
    const happenings = [
      { value: "press", count: 3 },
      { value: "long", count: 1 },
    ];
    const what = drawn({ kind: "event", resolution: "5m", points: [{ at: at(0), happenings }] });
    expect(what).toMatchObject({ kind: "counts", bars: [{ value: 4 }] });
  });
});

test("equal states that follow each other are one band, and a gap divides it", () => {
  const given = { kind: "state" as const, points: raw([0, true], [2, true], [6, false]), gaps: [gap(3, 4)] };
  const what = drawn(given);
  const bands = what.kind === "bands" ? what.bands : [];
  expect(bands.map(({ from, to, value }) => [(from - BEGIN) / MINUTE, (to - BEGIN) / MINUTE, value])).toEqual([
    [0, 3, true],
    [4, 6, true],
    [6, 10, false],
  ]);
});

test("what happens and is over is a mark", () => {
  expect(drawn({ kind: "event", points: raw([1, "press"], [2, null]) })).toEqual({
    kind: "marks",
    marks: [{ at: BEGIN + MINUTE, value: "press" }],
  });
});

test("a series that goes on on the next page is one", () => {
  const pages = [
    page({ points: raw([1, 1]), before: { at: at(-5), value: 0 }, gaps: [gap(2, 3)] }),
    page({ points: raw([4, 4]), gaps: [gap(2, 3)] }),
  ];
  const [one, other] = recordedOf(pages, keyOf, { from: BEGIN, to: BEGIN + 60 * MINUTE });
  expect(other).toBeUndefined();
  expect(one?.gaps).toHaveLength(1);
  expect(one && corners(planOf(one, BEGIN + 10 * MINUTE).drawn)).toEqual([
    [0, 0],
    [1, 1],
    [2, Number.NaN],
    [3, 1],
    [4, 4],
    [10, Number.NaN],
  ]);
});
