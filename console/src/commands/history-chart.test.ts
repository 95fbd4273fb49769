/** Charts of characters: what is drawn, what is not, and what an ASCII terminal gets. */
import { formatTime, type HistoryPoint, type HistoryResolution, type HistorySeries } from "@porchlight/shared/api";
import { describe, expect, test } from "vitest";
import { textOf } from "../render/style.ts";
import { barLines, chartLines, plotOf } from "./history-chart.ts";

/** 2026-11-05 12:00:00Z. */
const BEGIN = 1_793_880_000_000;
const MINUTE = 60_000;
const at = (minutes: number) => formatTime(BEGIN + minutes * MINUTE);

interface Given {
  readonly kind: HistorySeries["kind"];
  readonly points: readonly HistoryPoint[];
  readonly resolution?: HistoryResolution;
  readonly more?: Partial<HistorySeries>;
  readonly isUnicode?: boolean;
}

/** An hour in 60 columns beside the axis, without the spaces at the ends of lines. */
function drawn({ kind, points, resolution = "raw", more = {}, isUnicode = false }: Given, width = 70): string[] {
  const named = { deviceId: "dev_1", service: "A", index: "0", property: "b" };
  const series: HistorySeries = { ...named, kind, points: [...points], ...more };
  const history = { series, resolution, timeZone: undefined, range: { from: BEGIN, to: BEGIN + 60 * MINUTE } };
  const look = { ...{ width, isUnicode, isForPerson: true, now: BEGIN }, words: String };
  return chartLines(history, look).map((parts) => parts.map(textOf).join("").trimEnd());
}
const value = (minute: number, reading: string | number | boolean | null) => ({ at: at(minute), value: reading });

describe("numbers", () => {
  test("hold until the next; what is not known has no sign, and is marked below", () => {
    const gaps = [{ from: at(20), until: at(30), reason: "hub_offline" as const }];
    const lines = drawn({ kind: "number", points: [value(0, 10), value(40, 30)], more: { gaps } }, 66);
    const axis = 4;
    const cells = lines.slice(0, 8).map((line) => line.slice(axis).padEnd(60));
    const known = Array.from({ length: 60 }, (_, column) => cells.some((row) => (row[column] ?? " ") !== " "));
    const width = known.length;
    expect(known.slice(0, 20).every(Boolean)).toBe(true);
    expect(known.slice(22, 30).some(Boolean)).toBe(false);
    expect(known.slice(33, width).every(Boolean)).toBe(true);
    expect(lines[0]).toMatch(/^30 \|/);
    expect(lines[7]).toMatch(/^10 \|/);
    expect(lines[8]).toMatch(/^ +\?{10,12}$/);
    expect(lines[9]).toMatch(/2026-11-05 12:00:00Z +2026-11-05 13:00:00Z$/);
  });

  test("the value from before begins the line", () => {
    const lines = drawn({ kind: "number", points: [], more: { before: value(-90, 5) } });
    expect(lines.some((line) => /\*{60}/.test(line))).toBe(true);
  });

  test("without data nothing is drawn, and the output states it", () => {
    expect(drawn({ kind: "number", points: [] })).toEqual(["Nothing is known of this time."]);
  });

  test("are dots of braille where there are such", () => {
    const lines = drawn({ kind: "number", points: [value(0, 1), value(30, 2)], isUnicode: true });
    expect(lines.slice(0, 8).join("")).toMatch(/[\u2801-\u28ff]/u);
    expect(lines.join("")).not.toContain("*");
  });
});

test("a meter's steps are bars, of which the highest is the whole height", () => {
  const points = [0, 15, 30, 45].map((minute, index) => ({ at: at(minute), growth: index }));
  const lines = drawn({ kind: "total", resolution: "5m", points });
  expect(lines[0]).toMatch(/^3 \| +#+$/);
  expect(lines[7]).toMatch(/^0 \| +#+ +#+ +#+$/);
});

test("states are a band with a key; yes is filled, and no is a line", () => {
  const lines = drawn({ kind: "state", points: [value(0, true), value(30, false)], isUnicode: true }, 60);
  expect(lines[0]).toBe("█".repeat(30) + "─".repeat(30));
  expect(lines.at(-1)).toBe("█ true   ─ false");
});

test("states of steps are the longest of each column, which is stated; unknown time is empty", () => {
  const states = [
    { value: "heat", seconds: 200 },
    { value: "off", seconds: 100 },
  ];
  const lines = drawn({ kind: "state", resolution: "5m", points: [{ at: at(30), states }] }, 60);
  expect(lines[0]).toBe(`${" ".repeat(30)}AAAAA`);
  expect(lines.at(-1)).toBe("A heat   B off   (the longest of each column)");
});

test("happenings are as high as they are many", () => {
  const lines = drawn({ kind: "event", points: [value(10, "press"), value(10, "long"), value(40, "press")] });
  expect(lines[0]).toMatch(/^2 times \| +#$/);
  expect(lines[7]).toMatch(/# +#$/);
});

test("a value with control characters or of any length breaks no line", () => {
  const lines = drawn({ kind: "state", points: [value(0, `${"W".repeat(300)}\n\u001b[2J`)] }, 60);
  expect(lines.at(-1)?.length).toBeLessThan(60);
  expect(lines.join("")).not.toContain("\u001b");
});

test("a narrow terminal still has a chart", () => {
  expect(drawn({ kind: "number", points: [value(0, 123_456)] }, 10)[3]).toBeDefined();
});

test.each([
  [
    [
      { low: 0, high: 0 },
      { low: 1, high: 1 },
    ],
    2,
    [" *", "* "],
  ],
  [[{ low: 0, high: 1 }, undefined], 2, ["* ", "* "]],
])("a plot of %j", (columns, rows, expected) => {
  expect(plotOf(columns, rows, false)?.lines).toEqual(expected);
});

test("bars have eighths, and a little is not nothing", () => {
  expect(barLines([8, 4, 0.01, 0, undefined], 1, true)).toEqual(["█▄▁  "]);
  expect(barLines([2, 1], 2, false)).toEqual(["# ", "##"]);
});
