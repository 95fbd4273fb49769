/**
 * The points of one series, in windows: never a whole series in memory, and a turn of the loop after each window, so that other work
 * comes in between (A1.0.7).
 */
import type { HistoryPage, HistoryPoint, HistoryResolution } from "../../api/index.ts";
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
} from "../../history/index.ts";
import { formatTime, nextTurn } from "../../kernel/index.ts";
import type { HistoryAsked } from "./history-query.ts";
import type { HistorySource, HistorySources, RowPlace } from "./history-source.ts";

/** A point, and where it is. A step has no sequence of its own. */
export interface PlacedPoint extends RowPlace {
  readonly point: HistoryPoint;
}

/** Steps of a window: well under 10 ms of work on a small hub. */
const WINDOW = 500;
/** Changes of a window: a value has up to 16 KiB. */
const CHANGES = 100;

/** Oldest first; no window is empty. @param after the last point that is known already */
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
  // In a day that has begun before the first step that is kept, what is kept counts.
  const begin = Math.max(wholeSteps(first, length), startOf(step, overview.begins));
  if (begin >= end) return;
  const { state } = overview;
  const [all, heldAtFirst] = await Promise.all([source.gaps(begin, end), source.heldAt(step, begin)]);
  const gaps = merged(all);
  let before = heldAtFirst;
  for (let from = begin; from < end; ) {
    const to = Math.min(from + WINDOW * length, wholeSteps(end, length));
    const kept = await source.kept(step, from, to);
    const told = { kind, step, from, to, recordedUntil, kept, state, before, gaps: gapsIn(gaps, from, to) };
    yield steps.take(denseBuckets(told)).map(pointed);
    before = state.open[step].start < to ? state.value : (kept.at(-1)?.last ?? before);
    from = to;
  }
  yield steps.end().map(pointed);
}

/** Those that reach into a time. */
function gapsIn(gaps: readonly Interval[], from: number, to: number): readonly Interval[] {
  return gaps.filter((gap) => gap.from < to && gap.until > from);
}

/** Puts kept steps together to those of a resolution. */
class Steps {
  readonly #division: Division;
  /** `isOwn`: made here, so that more may be added to it. */
  #open: { bucket: Bucket; isOwn: boolean; readonly end: number } | undefined;

  constructor(division: Division) {
    this.#division = division;
  }

  /** Takes the next ones; gives those that are complete. */
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

  /** What there is of the last one. */
  end(): Bucket[] {
    const open = this.#open;
    this.#open = undefined;
    return open ? [open.bucket] : [];
  }
}

/** The first multiple of a length that is not earlier. */
function wholeSteps(at: number, length: number): number {
  return Math.ceil(at / length) * length;
}

/** A request for history made ready to be answered: its time widened to whole steps, and how its resolution divides it. Pure. */
export interface Reading {
  readonly asked: HistoryAsked;
  /** Wall clock, ms: inclusive, and exclusive. */
  readonly from: number;
  readonly to: number;
  readonly recordedUntil: number;
  /** Undefined of `raw`. */
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

/** What an answer says of itself besides its series. */
export function aboutOf({ asked, from, to, recordedUntil }: Reading): Omit<HistoryPage, "items" | "continuationToken"> {
  const end = Math.max(from, Math.min(to, recordedUntil));
  return {
    resolution: asked.resolution,
    ...(hasTimeZone(asked.resolution) && { timeZone: asked.timeZone }),
    range: { from: formatTime(from), to: formatTime(end) },
  };
}

/** The clocks of a zone are looked up month by month: only for the time of which something may be told. */
function knownSpan({ from, to }: HistoryAsked, { begins, recordedUntil }: Recorded) {
  const first = Math.min(Math.max(from, begins), recordedUntil);
  return { from: first, to: Math.max(first, Math.min(to, recordedUntil)) };
}

function hasTimeZone(resolution: HistoryResolution): boolean {
  return resolution === "1d" || resolution === "1mo";
}
