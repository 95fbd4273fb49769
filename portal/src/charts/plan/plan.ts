/** What is drawn of a series: a line where a value held or a mean is known, bars of growth, bands of states, marks; nothing where nothing is known. Pure. */
import type { HistoryResolution } from "@porchlight/shared/api";
import { type Change, endOfStep, isSame, type RecordedSeries, type Step, type UnknownTime } from "./series.ts";
import type { Span } from "./span.ts";

/** A line as its corners: `ys[i]` stands from `xs[i]` on. NaN: from there on there is no line. */
export interface Line {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
}

export interface Bar extends Span {
  readonly value: number;
  /** Only a part of the time is known, so it may be too low. */
  readonly isPartial: boolean;
}

export interface Mean extends Span {
  readonly mean: number;
  readonly min: number;
  readonly max: number;
}

export interface Band extends Span {
  readonly value: unknown;
}

/** How a step was shared by values. */
export interface Shares extends Span {
  readonly parts: readonly { readonly value: unknown; readonly share: number }[];
}

export type Drawn =
  /** Values that held until the next. */
  | { readonly kind: "step"; readonly line: Line }
  /** Means of steps, with the least and the most. */
  | {
      readonly kind: "mean";
      readonly line: Line;
      readonly lows: Float64Array;
      readonly highs: Float64Array;
      readonly steps: readonly Mean[];
    }
  | { readonly kind: "bars"; readonly bars: readonly Bar[] }
  | { readonly kind: "bands"; readonly bands: readonly Band[] }
  | { readonly kind: "shares"; readonly steps: readonly Shares[] }
  | { readonly kind: "marks"; readonly marks: readonly Change[] }
  | { readonly kind: "counts"; readonly bars: readonly Bar[] };

export interface SeriesPlan {
  readonly key: string;
  readonly unit: string | undefined;
  readonly resolution: HistoryResolution;
  readonly gaps: readonly UnknownTime[];
  readonly drawn: Drawn;
}

/** @param now ms since 1970: up to then a value that was told last holds, where the series goes on */
export function planOf(series: RecordedSeries, now: number): SeriesPlan {
  const { key, unit, gaps, resolution, goesOn, range } = series;
  return { key, unit, gaps, resolution, drawn: drawnOf(series, goesOn ? Math.max(now, range.to) : range.to) };
}

function drawnOf(series: RecordedSeries, end: number): Drawn {
  if (series.resolution !== "raw") return ofSteps(series);
  const { kind, changes } = series;
  switch (kind) {
    case "number":
    case "total":
      return { kind: "step", line: heldLine(series, end) };
    case "event":
      return { kind: "marks", marks: changes.filter(({ value }) => value !== null) };
    // A state, and the kinds of a newer service: every value can be drawn as a band.
    default:
      return { kind: "bands", bands: heldBands(series, end) };
  }
}

type Raw = Extract<RecordedSeries, { readonly resolution: "raw" }>;
type Stepped = Exclude<RecordedSeries, Raw>;

/** Times for which one value is known to have held: from its change to the next, without what lies in gaps. */
function* held({ before, changes, gaps, range }: Raw, end: number): Generator<Band> {
  // Gaps of the time before the range are not told: the value that held at its beginning is drawn from there on.
  const all = before ? [{ at: Math.max(before.at, range.from), value: before.value }, ...changes] : changes;
  let next = 0;
  for (const [index, { at, value }] of all.entries()) {
    const until = all[index + 1]?.at ?? end;
    let from = at;
    for (let gap = gaps[next]; gap && gap.from < until; gap = gaps[next]) {
      if (gap.from > from) yield { from, to: gap.from, value };
      from = Math.max(from, gap.to);
      // It may reach into what the next value held for.
      if (gap.to > until) break;
      next += 1;
    }
    // The service tells whole seconds: of several changes within one each was, for no time that is told.
    if (from < until || (at === until && from === at)) yield { from, to: until, value };
  }
}

function heldLine(series: Raw, end: number): Line {
  const xs: number[] = [];
  const ys: number[] = [];
  let last = Number.NaN;
  for (const { from, to, value } of held(series, end)) {
    if (xs.length > 0 && last !== from) stop();
    xs.push(from);
    ys.push(typeof value === "number" ? value : Number.NaN);
    last = to;
  }
  stop();
  function stop() {
    if (Number.isNaN(last)) return;
    xs.push(last);
    ys.push(Number.NaN);
  }
  return { xs: Float64Array.from(xs), ys: Float64Array.from(ys) };
}

/** Equal values that follow each other are one band. */
function heldBands(series: Raw, end: number): readonly Band[] {
  const bands: Band[] = [];
  for (const band of held(series, end)) {
    if (band.value === null) continue;
    const last = bands.at(-1);
    if (last && last.to === band.from && isSame(last.value, band.value))
      bands[bands.length - 1] = { ...last, to: band.to };
    else bands.push(band);
  }
  return bands;
}

function ofSteps({ kind, steps, resolution }: Stepped): Drawn {
  switch (kind) {
    case "number":
      return meansOf(steps, resolution);
    case "total":
      return { kind: "bars", bars: steps.flatMap((step) => barOf(step, step.growth, resolution)) };
    case "event":
      return { kind: "counts", bars: steps.flatMap((step) => barOf(step, countOf(step), resolution)) };
    default:
      return { kind: "shares", steps: steps.flatMap((step) => sharesOf(step, resolution)) };
  }
}

function countOf({ happenings, count }: Step): number | undefined {
  return happenings?.reduce((sum, each) => sum + each.count, 0) ?? count;
}

/** Of a step that is known for less than its whole length by more than this, the bar may be too low, ms. */
const NEARLY = 2000;

function barOf(step: Step, value: number | undefined, resolution: Stepped["resolution"]): Bar[] {
  if (value === undefined) return [];
  const to = endOfStep(step.at, resolution);
  const known = step.knownSeconds === undefined ? to - step.at : step.knownSeconds * 1000;
  return [{ from: step.at, to, value, isPartial: known < to - step.at - NEARLY }];
}

function sharesOf({ at, states = [], otherStatesSeconds = 0 }: Step, resolution: Stepped["resolution"]): Shares[] {
  const to = endOfStep(at, resolution);
  const parts = [
    ...states.map(({ value, seconds }) => ({ value, share: (seconds * 1000) / (to - at) })),
    ...(otherStatesSeconds > 0 ? [{ value: OTHERS, share: (otherStatesSeconds * 1000) / (to - at) }] : []),
  ];
  return parts.length === 0 ? [] : [{ from: at, to, parts }];
}

/** Stands for all values beyond those that are told one by one. */
export const OTHERS = Symbol("other values");

/** A corner in the middle of each step; where one is missing the line is broken. */
function meansOf(all: readonly Step[], resolution: Stepped["resolution"]): Drawn {
  const steps = all.flatMap(({ at, mean, min = mean, max = mean }): Mean[] =>
    mean === undefined || min === undefined || max === undefined
      ? []
      : [{ from: at, to: endOfStep(at, resolution), mean, min, max }],
  );
  const corners: (readonly [x: number, y: number, low: number, high: number])[] = [];
  const end = (at: number) => corners.push([at, Number.NaN, Number.NaN, Number.NaN]);
  for (const [index, { from, to, mean, min, max }] of steps.entries()) {
    const before = steps[index - 1];
    if (before && before.to < from) end(before.to);
    corners.push([(from + to) / 2, mean, min, max]);
  }
  const last = steps.at(-1);
  if (last) end(last.to);
  const each = (place: 0 | 1 | 2 | 3) => Float64Array.from(corners, (corner) => corner[place]);
  return { kind: "mean", line: { xs: each(0), ys: each(1) }, lows: each(2), highs: each(3), steps };
}
