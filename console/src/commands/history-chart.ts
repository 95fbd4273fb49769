/** A series as a chart in a terminal: a line, bars, or a band of states, with its gaps below and its times at both ends. Pure. */
import { formatTime } from "@porchlight/shared/api";
import type { Showing } from "../render/cell.ts";
import { type Part, styled } from "../render/style.ts";
import { padded, shortened, widthOf } from "../render/table.ts";
import { gapsOf, type Stretch, stretchesOf, type WholeHistory } from "./chart-segments.ts";

/** Height of a line or bar chart, lines of text. */
const ROWS = 8;
const NARROWEST = 20;

interface ChartLook extends Showing {
  /** Width of the terminal, columns. */
  readonly width: number;
  readonly words: (value: unknown) => string;
}

/** Lines of parts, without a heading. */
export function chartLines(history: WholeHistory, look: ChartLook): readonly (readonly Part[])[] {
  const { series, resolution } = history;
  const stretches = stretchesOf(history);
  switch (series.kind) {
    case "number":
      return framed(history, look, (width) => lineOf(history, stretches, width, look));
    case "total":
      return framed(history, look, (width) =>
        resolution === "raw"
          ? lineOf(history, stretches, width, look)
          : barsOf(history, stretches, width, look, growthOf),
      );
    case "event":
      return framed(history, look, (width) => barsOf(history, stretches, width, look, countOf));
    // A state, and kinds of a newer service: every value can be drawn as a state.
    default:
      return bandOf(history, stretches, look);
  }
}

interface Body {
  readonly lines: readonly string[];
  readonly top: string;
  readonly bottom: string;
}

/** A chart with its axis on the left, and below it the unknown times and the range. */
function framed(
  history: WholeHistory,
  look: ChartLook,
  bodyOf: (width: number) => Body | undefined,
): readonly (readonly Part[])[] {
  // The labels depend on the chart, and their width limits the chart's width.
  const rough = bodyOf(NARROWEST);
  if (!rough) return [[styled("dim", "Nothing is known of this time.")]];
  const axis = Math.max(widthOf(rough.top), widthOf(rough.bottom));
  const width = Math.max(NARROWEST, look.width - axis - 2);
  const body = bodyOf(width) ?? rough;
  const label = (row: number) => (row === 0 ? body.top : row === body.lines.length - 1 ? body.bottom : "");
  const edge = look.isUnicode ? "│" : "|";
  return [
    ...body.lines.map((line, row) => [styled("dim", padded(label(row), axis)), ` ${edge}`, line]),
    ...below(history, width, look).map((parts) => [" ".repeat(axis + 2), ...parts]),
  ];
}

/** The unknown columns, if any, and the times at both ends. */
function below(history: WholeHistory, width: number, look: ChartLook): readonly (readonly Part[])[] {
  const { range, series } = history;
  const gaps = gapsOf(series, range);
  const isGap = Array.from({ length: width }, (_, column) => {
    const { from, to } = spanOf(history, column, width);
    return gaps.some((gap) => gap.from < to && gap.to > from);
  });
  const sign = look.isUnicode ? "░" : "?";
  const marks = isGap.map((is) => (is ? sign : " ")).join("");
  const [begin, end] = [formatTime(range.from), formatTime(range.to)];
  const space = width - begin.length - end.length;
  const times = space > 0 ? `${begin}${" ".repeat(space)}${end}` : begin;
  return [...(gaps.length > 0 ? [[styled("yellow", marks)]] : []), [styled("dim", times)]];
}

function spanOf({ range }: WholeHistory, column: number, width: number) {
  const length = (range.to - range.from) / width;
  return { from: range.from + column * length, to: range.from + (column + 1) * length };
}

/** The columns that a stretch covers (inclusive). */
function columnsOf({ range }: WholeHistory, { from, to }: Stretch, width: number): readonly [number, number] {
  const scale = width / (range.to - range.from);
  const begin = Math.max(0, Math.floor((from - range.from) * scale));
  const end = Math.ceil((Math.min(to, range.to) - range.from) * scale) - 1;
  return [begin, Math.min(width - 1, Math.max(begin, end))];
}

function lineOf(
  history: WholeHistory,
  stretches: readonly Stretch[],
  width: number,
  look: ChartLook,
): Body | undefined {
  const dots = width * dotsPerCell(look.isUnicode);
  const columns: Range[] = new Array<Range>(dots).fill(undefined);
  let last: { readonly value: number; readonly to: number } | undefined;
  for (const stretch of stretches) {
    const { point, from, to } = stretch;
    const value = history.resolution === "raw" ? point.value : (point.mean ?? point.last);
    if (typeof value !== "number") continue;
    const [begin, end] = columnsOf(history, stretch, dots);
    for (let column = begin; column <= end; column++) {
      const known = columns[column];
      columns[column] = { low: Math.min(value, known?.low ?? value), high: Math.max(value, known?.high ?? value) };
    }
    // Draw the line from the previous value, if that value held until then.
    const first = columns[begin];
    if (last && last.to === from && first)
      columns[begin] = { low: Math.min(first.low, last.value), high: Math.max(first.high, last.value) };
    last = { value, to };
  }
  const plot = plotOf(columns, ROWS, look.isUnicode);
  return plot && { lines: plot.lines, top: look.words(rounded(plot.top)), bottom: look.words(rounded(plot.bottom)) };
}

/** The growth in a step. */
const growthOf = ({ point }: Stretch) => point.growth;
/** The number of events; a single moment counts once. */
const countOf = ({ point }: Stretch) =>
  point.happenings ? point.happenings.reduce((sum, { count }) => sum + count, 0) : 1;

function barsOf(
  history: WholeHistory,
  stretches: readonly Stretch[],
  width: number,
  look: ChartLook,
  amountOf: (stretch: Stretch) => number | undefined,
): Body | undefined {
  const columns = new Array<number | undefined>(width).fill(undefined);
  const isOfSteps = history.resolution !== "raw";
  for (const stretch of stretches) {
    const amount = amountOf(stretch);
    if (amount === undefined) continue;
    const [begin, end] = columnsOf(history, stretch, width);
    // Leave a column between two bars, if there is room.
    const last = isOfSteps && end > begin + 1 ? end - 1 : end;
    for (let column = begin; column <= last; column++)
      columns[column] = isOfSteps ? Math.max(columns[column] ?? 0, amount) : (columns[column] ?? 0) + amount;
  }
  if (columns.every((column) => column === undefined)) return undefined;
  const most = columns.reduce<number>((one, other) => Math.max(one, other ?? 0), 0);
  const isCount = history.series.kind === "event";
  const top = isCount ? `${most} times` : look.words(rounded(most));
  return { lines: barLines(columns, ROWS, look.isUnicode), top, bottom: "0" };
}

/** Characters of the values in a band: the most frequent value first. */
const FILLS = ["█", "▒", "▄", "▀", "▌", "╱", "╲", "╳"];
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Number of values that get their own character. */
const MOST_VALUES = 8;

function bandOf(history: WholeHistory, stretches: readonly Stretch[], look: ChartLook): readonly (readonly Part[])[] {
  const width = Math.max(NARROWEST, look.width);
  const columns: Map<string, number>[] = Array.from({ length: width }, () => new Map());
  for (const stretch of stretches)
    for (const { text, share } of valuesOf(stretch)) {
      const [begin, end] = columnsOf(history, stretch, width);
      for (let column = begin; column <= end; column++) {
        const { from, to } = spanOf(history, column, width);
        const length = Math.min(to, stretch.to) - Math.max(from, stretch.from);
        columns[column]?.set(text, (columns[column]?.get(text) ?? 0) + length * share);
      }
    }
  const sums = new Map<string, number>();
  for (const column of columns) for (const [text, length] of column) sums.set(text, (sums.get(text) ?? 0) + length);
  if (sums.size === 0) return [[styled("dim", "Nothing is known of this time.")], ...below(history, width, look)];
  const order = [...sums].sort((one, other) => other[1] - one[1]).map(([text]) => text);
  const signOf = (text: string) => {
    const place = order.indexOf(text);
    if (text === "false") return look.isUnicode ? "─" : "-";
    return look.isUnicode && order.length <= MOST_VALUES ? (FILLS[place] ?? "?") : (LETTERS[place] ?? "+");
  };
  const band = columns.map((column) => {
    const [most] = [...column].sort((one, other) => other[1] - one[1]);
    return most ? signOf(most[0]) : " ";
  });
  const keys = order.map(
    (text) => `${signOf(text)} ${shortened(look.words(JSON.parse(text)), 24, look.isUnicode ? "…" : "...")}`,
  );
  const isOfSteps = history.resolution !== "raw";
  return [
    [band.join("")],
    ...below(history, width, look),
    [styled("dim", `${keys.join("   ")}${isOfSteps ? "   (the longest of each column)" : ""}`)],
  ];
}

/** The values in a stretch by their JSON, with the share of each. */
function valuesOf({ point, from, to }: Stretch): readonly { readonly text: string; readonly share: number }[] {
  if (!point.states) return point.value === undefined ? [] : [{ text: JSON.stringify(point.value), share: 1 }];
  return point.states.map(({ value, seconds }) => ({
    text: JSON.stringify(value),
    share: (seconds * 1000) / Math.max(1, to - from),
  }));
}

/** A computed value has no more precision than a measured one. */
function rounded(value: number): number {
  return Number(value.toPrecision(5));
}

/**
 * The range of a line within one column; undefined where nothing is known. Lines are drawn with braille dots, two by four in a cell, or
 * in ASCII with one character for each cell.
 */
type Range = { readonly low: number; readonly high: number } | undefined;

interface Plot {
  /** Lines of characters from top to bottom, all of the same width. */
  readonly lines: readonly string[];
  readonly top: number;
  readonly bottom: number;
}

/** The bits of a braille cell, by column and row. */
const DOTS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;

/** Columns of dots in a cell. */
function dotsPerCell(isUnicode: boolean): number {
  return isUnicode ? 2 : 1;
}

/** @param columns one for each column of dots @param rows number of lines @returns undefined when nothing is known */
export function plotOf(columns: readonly Range[], rows: number, isUnicode: boolean): Plot | undefined {
  const known = columns.filter((column) => column !== undefined);
  if (known.length === 0) return undefined;
  const bottom = known.reduce((least, { low }) => Math.min(least, low), Number.POSITIVE_INFINITY);
  const top = known.reduce((most, { high }) => Math.max(most, high), Number.NEGATIVE_INFINITY);
  const high = isUnicode ? rows * 4 : rows;
  const rowOf = (value: number) =>
    // A line with a single value is drawn in the middle.
    top === bottom ? Math.floor(high / 2) : Math.round((1 - (value - bottom) / (top - bottom)) * (high - 1));
  const wide = dotsPerCell(isUnicode);
  const cells = Array.from({ length: rows }, () => new Array<number>(Math.ceil(columns.length / wide)).fill(0));
  for (const [x, column] of columns.entries()) {
    if (!column) continue;
    for (let y = rowOf(column.high); y <= rowOf(column.low); y++) {
      const row = cells[isUnicode ? y >> 2 : y];
      const cell = Math.floor(x / wide);
      if (row) row[cell] = (row[cell] ?? 0) | (isUnicode ? (DOTS[x % 2 === 0 ? 0 : 1][y % 4] ?? 0) : 1);
    }
  }
  const sign = (bits: number) => (bits === 0 ? " " : isUnicode ? String.fromCharCode(0x2800 + bits) : "*");
  return { lines: cells.map((row) => row.map(sign).join("")), top, bottom };
}

const EIGHTHS = " ▁▂▃▄▅▆▇█";

/** Bars from zero upwards; undefined leaves a column empty. @returns lines from the top */
export function barLines(values: readonly (number | undefined)[], rows: number, isUnicode: boolean): readonly string[] {
  const most = values.reduce<number>((one, other) => Math.max(one, other ?? 0), 0);
  const parts = isUnicode ? 8 : 1;
  return Array.from({ length: rows }, (_, row) =>
    values
      .map((value) => {
        if (value === undefined || value <= 0 || most === 0) return " ";
        // A small value is still visible.
        const height = Math.max(1, Math.round((value / most) * rows * parts)) - (rows - 1 - row) * parts;
        const part = Math.min(parts, Math.max(0, height));
        return isUnicode ? (EIGHTHS[part] ?? " ") : part > 0 ? "#" : " ";
      })
      .join(""),
  );
}
