/**
 * The points of one series, in windows: the series is never in memory as a whole, and the event loop turns after each window, so that
 * other work can run (A1.0.7).
 */
import type { HistoryPage, HistoryPoint, HistoryResolution } from "../api/index.ts";
import {
  append,
  type Bucket,
  copyOf,
  type Division,
  denseBuckets,
  divisionOf,
  type Interval,
  merged,
  pointOf,
  STEPS,
  startOf,
} from "../history/index.ts";
import { formatTime, nextTurn } from "../kernel/index.ts";
import type { HistoryAsked } from "./history-query.ts";
import type { HistorySource, HistorySources, RowPlace } from "./history-source.ts";

/** A point and its position. A step has no sequence of its own. */
export interface PlacedPoint extends RowPlace {
  readonly point: HistoryPoint;
}

/** Number of steps in a window: well under 10 ms of work on a small hub. */
const WINDOW = 500;
/** Number of changes in a window: a value has up to 16 KiB. */
const CHANGES = 100;

/** Windows of points, oldest first; none is empty. @param after the last point that the caller already has */
export async function* pointsOf(
  source: HistorySource,
  reading: Reading,
  after: RowPlace | undefined,
): AsyncGenerator<readonly PlacedPoint[]> {
  const windows = reading.division
    ? stepsOf(source, reading, reading.division, after)
    : changesOf(source, reading, after);
  for await (const points of windows) {
    if (points.length > 0) yield points;
    await nextTurn();
  }
}

async function* changesOf(
  source: HistorySource,
  { from, to }: Reading,
  after: RowPlace | undefined,
): AsyncGenerator<PlacedPoint[]> {
  for (let place = after; ; ) {
    const rows = await source.raw(from, to, place, CHANGES);
    yield rows.map(({ at, sequence, value }) => ({
      ...{ at, sequence },
      point: { at: formatTime(at), value: JSON.parse(value) },
    }));
    if (rows.length < CHANGES) return;
    place = rows.at(-1);
  }
}

async function* stepsOf(
  source: HistorySource,
  reading: Reading,
  division: Division,
  after: RowPlace | undefined,
): AsyncGenerator<PlacedPoint[]> {
  const overview = await source.overview();
  if (!overview) return;
  const { kind } = source;
  const { step } = division;
  const { recordedUntil, asked } = reading;
  const length = STEPS[step];
  const first = after ? division.after(after.at) : reading.from;
  const end = Math.min(reading.to, recordedUntil);
  const steps = new Steps(division);
  const pointed = (bucket: Bucket): PlacedPoint => {
    return { at: bucket.start, sequence: 0, point: pointOf(kind, bucket, asked.aggregates) };
  };
  // When the first kept step lies inside a day, the day's point covers the kept part.
  const begin = Math.max(wholeSteps(first, length), startOf(step, overview.begins));
  if (begin >= end) return;
  const { state } = overview;
  const [all, heldAtFirst] = await Promise.all([source.gaps(begin, end), source.heldAt(step, begin)]);
  const gaps = merged(all);
  let before = heldAtFirst;
  for (let from = begin; from < end; ) {
    const to = Math.min(from + WINDOW * length, wholeSteps(end, length));
    const kept = await source.kept(step, from, to);
    const range = { kind, step, from, to, recordedUntil, kept, state, before, gaps: gapsIn(gaps, from, to) };
    yield steps.take(denseBuckets(range)).map(pointed);
    before = state.open[step].start < to ? state.value : (kept.at(-1)?.last ?? before);
    from = to;
  }
  yield steps.end().map(pointed);
}

/** The gaps that overlap this time. */
function gapsIn(gaps: readonly Interval[], from: number, to: number): readonly Interval[] {
  return gaps.filter((gap) => gap.from < to && gap.until > from);
}

/** Combines kept steps into the steps of a resolution. */
class Steps {
  readonly #division: Division;
  /** `isOwn`: the bucket is a copy of ours, so that later steps can be appended to it. */
  #open: { bucket: Bucket; isOwn: boolean; readonly end: number } | undefined;

  constructor(division: Division) {
    this.#division = division;
  }

  /** Adds the next steps; returns the combined ones that are complete. */
  take(buckets: readonly Bucket[]): Bucket[] {
    const complete: Bucket[] = [];
    for (const bucket of buckets) {
      const open = this.#open;
      if (open && bucket.start < open.end) {
        if (!open.isOwn) open.bucket = copyOf(open.bucket);
        open.isOwn = true;
        append(open.bucket, bucket);
        continue;
      }
      if (open) complete.push(open.bucket);
      const start = this.#division.startOf(bucket.start);
      const isOwn = start !== bucket.start;
      this.#open = { bucket: isOwn ? { ...copyOf(bucket), start } : bucket, isOwn, end: this.#division.after(start) };
    }
    return complete;
  }

  /** The last step, complete or not. */
  end(): Bucket[] {
    const open = this.#open;
    this.#open = undefined;
    return open ? [open.bucket] : [];
  }
}

/** The first multiple of `length` at or after `at`. */
function wholeSteps(at: number, length: number): number {
  return Math.ceil(at / length) * length;
}

/** A prepared request for history: its time range widened to whole steps, and the division into steps. Pure. */
export interface Reading {
  readonly asked: HistoryAsked;
  /** Wall clock, ms: `from` is inclusive, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  readonly recordedUntil: number;
  /** Undefined for `raw`. */
  readonly division: Division | undefined;
}

type Recorded = Pick<HistorySources, "begins" | "recordedUntil">;

export function readingOf(asked: HistoryAsked, recorded: Recorded): Reading {
  const { recordedUntil } = recorded;
  const { resolution } = asked;
  if (resolution === "raw") return { asked, from: asked.from, to: asked.to, recordedUntil, division: undefined };
  const division = divisionOf(resolution, asked.timeZone, knownSpan(asked, recorded));
  const from = division.startOf(asked.from);
  const last = division.startOf(asked.to);
  const to = last === asked.to ? last : division.after(last);
  return { asked, from, to, recordedUntil, division };
}

/** Members of an answer besides its series. */
export function aboutOf({ asked, from, to, recordedUntil }: Reading): Omit<HistoryPage, "items" | "continuationToken"> {
  const end = Math.max(from, Math.min(to, recordedUntil));
  return {
    resolution: asked.resolution,
    ...(hasTimeZone(asked.resolution) && { timeZone: asked.timeZone }),
    range: { from: formatTime(from), to: formatTime(end) },
  };
}

/** The part of the range that can have data: the time zone is then looked up, month by month, for that part only. */
function knownSpan({ from, to }: HistoryAsked, { begins, recordedUntil }: Recorded) {
  const first = Math.min(Math.max(from, begins), recordedUntil);
  return { from: first, to: Math.max(first, Math.min(to, recordedUntil)) };
}

function hasTimeZone(resolution: HistoryResolution): boolean {
  return resolution === "1d" || resolution === "1mo";
}
