/** Where things stand in a chart of a property's history: steps from value to value, and nothing where nothing is known. */
import type { Gap, Point } from "../../../live/history.ts";

export interface ChartInput {
  /** Those of which the time is not known are not drawn. */
  readonly points: readonly Point[];
  readonly gaps: readonly Gap[];
  /** ms since 1970 */
  readonly now: number;
  /** Values happen and are over, so there is nothing between them. */
  readonly isOccurrence: boolean;
  /** In the order in which they are to stand, where there is one. */
  readonly values?: readonly unknown[] | undefined;
}

/** 0 to 1 from left to right, and from the bottom to the top. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Chart {
  readonly from: number;
  readonly to: number;
  /** A line each; what lies between two is not known. */
  readonly lines: readonly (readonly Spot[])[];
  /** Where values were told. */
  readonly spots: readonly Spot[];
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  /** Heights that have a word beside them. */
  readonly levels: readonly { readonly y: number; readonly value: unknown }[];
}

/** A history is at least so long, so that a first minute is not stretched, ms. */
const SHORTEST = 60_000;

/** @returns undefined when there is nothing to be drawn */
export function chartOf({ points: all, gaps, now, isOccurrence, values }: ChartInput): Chart | undefined {
  const points = all.flatMap(({ at, value }) => (at === undefined ? [] : [{ at, value }]));
  const first = points[0];
  if (!first) return undefined;
  const to = Math.max(now, points.at(-1)?.at ?? now);
  const from = Math.min(first.at, to - SHORTEST);
  const xOf = (at: number) => (Math.min(to, Math.max(from, at)) - from) / (to - from);
  const scale = scaleOf(points, values);
  const spots = points.map(({ at, value }) => ({ x: xOf(at), y: scale.yOf(value) }));
  const shownGaps = gaps
    .map((gap) => ({ from: xOf(gap.from), to: xOf(gap.to ?? to) }))
    .filter((gap) => gap.to > gap.from);
  const lines = isOccurrence ? [] : cut(steps(spots), shownGaps);
  return { from, to, lines, spots, gaps: shownGaps, levels: scale.levels };
}

interface Scale {
  readonly yOf: (value: unknown) => number;
  readonly levels: Chart["levels"];
}

function scaleOf(points: readonly Point[], values: readonly unknown[] | undefined): Scale {
  const numbers = points.map(({ value }) => value).filter((value) => typeof value === "number");
  if (numbers.length === points.length && values === undefined) return ofNumbers(numbers);
  const seen = points.map(({ value }) => JSON.stringify(value));
  const named = (values ?? []).map((value) => JSON.stringify(value));
  const isTruth = seen.every((each) => each === "true" || each === "false");
  // What was never told has no level, so that two states of many are not squeezed.
  const order = isTruth ? ["false", "true"] : [...new Set([...named.filter((each) => seen.includes(each)), ...seen])];
  const yOf = (value: unknown) => (order.length < 2 ? 0.5 : order.indexOf(JSON.stringify(value)) / (order.length - 1));
  const levels = order.map((text) => ({ y: yOf(JSON.parse(text)), value: JSON.parse(text) as unknown }));
  return { yOf, levels };
}

function ofNumbers(numbers: readonly number[]): Scale {
  const least = numbers.reduce((one, other) => Math.min(one, other));
  const most = numbers.reduce((one, other) => Math.max(one, other));
  if (least === most) return { yOf: () => 0.5, levels: [{ y: 0.5, value: least }] };
  const yOf = (value: unknown) => (Number(value) - least) / (most - least);
  return {
    yOf,
    levels: [
      { y: 0, value: least },
      { y: 1, value: most },
    ],
  };
}

/** A value holds until the next one, and the last one until now. */
function steps(spots: readonly Spot[]): Spot[] {
  const line = spots.flatMap((spot, at) => {
    const before = spots[at - 1];
    return before ? [{ x: spot.x, y: before.y }, spot] : [spot];
  });
  const last = spots.at(-1);
  return last ? [...line, { x: 1, y: last.y }] : line;
}

/** The line without what lies in the gaps. */
function cut(line: readonly Spot[], gaps: Chart["gaps"]): (readonly Spot[])[] {
  const parts: Spot[][] = [];
  let part: Spot[] = [];
  const end = () => {
    if (part.length > 0) parts.push(part);
    part = [];
  };
  for (const [at, spot] of line.entries()) {
    const before = line[at - 1];
    if (before && before.x < spot.x) {
      // Level from `before` to `spot`: out of each gap on the way.
      for (const gap of gaps.filter(({ from, to }) => to > before.x && from < spot.x)) {
        if (gap.from >= before.x) part.push({ x: gap.from, y: before.y });
        end();
        if (gap.to < spot.x) part.push({ x: gap.to, y: before.y });
      }
    }
    if (!gaps.some(({ from, to }) => spot.x > from && spot.x < to)) part.push(spot);
  }
  end();
  return parts.filter(({ length }) => length > 1);
}
