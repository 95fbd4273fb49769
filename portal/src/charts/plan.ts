/**
 * Turns a series into drawing primitives: lines for held values and means, bars for growth, bands for states, marks for occurrences;
 * nothing for gaps. Pure.
 */
import type { HistoryResolution } from "@porchlight/shared/api";
import { type Change, endOfStep, isSame, type RecordedSeries, type Step, type UnknownTime } from "./planned-series.ts";
import type { Span } from "./span.ts";

/** A line as its vertices: `ys[i]` holds from `xs[i]` on. NaN ends the line there. */
export interface Line {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
}

export interface Bar extends Span {
  readonly value: number;
  /** Data covers only a part of the step, so the bar may be too low. */
  readonly isPartial: boolean;
}

interface Mean extends Span {
  readonly mean: number;
  readonly min: number;
  readonly max: number;
}

interface Band extends Span {
  readonly value: unknown;
}

/** The distribution of a step over values. */
interface Shares extends Span {
  readonly parts: readonly { readonly value: unknown; readonly share: number }[];
}

export type Drawn =
  /** Values that hold until the next one. */
  | { readonly kind: "step"; readonly line: Line }
  /** Means of steps, with their minimum and maximum. */
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

/** @param now ms since 1970; the last known value of a series that continues is drawn up to this time */
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
    // States, and kinds that a newer service may add: any value can be drawn as a band.
    default:
      return { kind: "bands", bands: heldBands(series, end) };
  }
}

type Raw = Extract<RecordedSeries, { readonly resolution: "raw" }>;
type Stepped = Exclude<RecordedSeries, Raw>;

/** The times during which one value is known to hold: from its change to the next, minus the gaps. */
function* held({ before, changes, gaps, range }: Raw, end: number): Generator<Band> {
  // The response leaves out gaps before the range, so the value that held at its beginning is drawn from there on.
  const all = before ? [{ at: Math.max(before.at, range.from), value: before.value }, ...changes] : changes;
  let next = 0;
  for (const [index, { at, value }] of all.entries()) {
    const until = all[index + 1]?.at ?? end;
    let from = at;
    for (let gap = gaps[next]; gap && gap.from < until; gap = gaps[next]) {
      if (gap.from > from) yield { from, to: gap.from, value };
      from = Math.max(from, gap.to);
      // The gap can continue into the time of the next value.
      if (gap.to > until) break;
      next += 1;
    }
    // Time stamps have whole seconds, so several changes within one second have zero length; each is still drawn.
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

/** Merges consecutive bands with equal values. */
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

/** Tolerance in ms: a bar counts as partial when its step lacks more data than this. */
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

/** Stands for all values that the service does not list individually. */
export const OTHERS = Symbol("other values");

/** A vertex in the middle of each step; a missing step breaks the line. */
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

export type Panel =
  | { readonly kind: "lines"; readonly left: Axis; readonly right: Axis | undefined }
  | { readonly kind: "bars"; readonly left: Axis }
  | { readonly kind: "timelines"; readonly plans: readonly SeriesPlan[] };

export interface Axis {
  readonly unit: string | undefined;
  readonly plans: readonly SeriesPlan[];
}

/** Numbers of at most two units share one panel with two axes, bars are grouped by unit, and states get one timeline each. */
export function panelsOf(plans: readonly SeriesPlan[]): readonly Panel[] {
  const numbers = axesOf(plans.filter(({ drawn }) => drawn.kind === "step" || drawn.kind === "mean"));
  const lines: Panel[] = [];
  for (let place = 0; place < numbers.length; place += 2) {
    const [left, right] = [numbers[place], numbers[place + 1]];
    if (left) lines.push({ kind: "lines", left, right });
  }
  const bars = axesOf(plans.filter(({ drawn }) => drawn.kind === "bars"));
  const counts = plans.filter(({ drawn }) => drawn.kind === "counts");
  const timelines = plans.filter(({ drawn }) => ["bands", "shares", "marks"].includes(drawn.kind));
  return [
    ...lines,
    ...bars.map((left): Panel => ({ kind: "bars", left })),
    ...(counts.length > 0 ? [{ kind: "bars" as const, left: { unit: undefined, plans: counts } }] : []),
    ...(timelines.length > 0 ? [{ kind: "timelines" as const, plans: timelines }] : []),
  ];
}

/** One axis per unit, in the order of first appearance. */
function axesOf(plans: readonly SeriesPlan[]): readonly Axis[] {
  return [...Map.groupBy(plans, ({ unit }) => unit)].map(([unit, all]) => ({ unit, plans: all }));
}
