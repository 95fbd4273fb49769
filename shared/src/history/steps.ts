/**
 * The steps of a time range: its default resolution, how the resolution divides time, and the complete steps, in which a value continues
 * until the next change. Pure.
 */
import type { HistoryKind, HistoryResolution } from "../api/index.ts";
import { Calendar } from "../kernel/index.ts";
import { type Bucket, copyOf, emptyBucket, hold, NONE, saysSomething } from "./bucket.ts";
import { type Interval, knownTime, type SeriesState, STEPS, type Step } from "./series.ts";

const DAY = 86_400_000;
const MONTH = 30 * DAY;

/** The resolution that yields some hundred points. @param rawFor how long each change is kept, ms */
export function resolutionFor(from: number, to: number, now: number, rawFor: number): HistoryResolution {
  const span = to - from;
  if (span <= DAY && from >= now - rawFor) return "raw";
  if (span <= 3 * DAY) return "5m";
  return span <= 60 * DAY ? "1h" : span <= 800 * DAY ? "1d" : "1mo";
}

/** How a resolution divides time. */
export interface Division {
  /** The kept steps that the division combines. */
  readonly step: Step;
  startOf(at: number): number;
  after(start: number): number;
}

/**
 * @param timeZone of days and months: an IANA name
 * @param from start of the time for which the division is needed: wall clock, ms
 * @throws RangeError for an unknown time zone
 */
export function divisionOf(
  resolution: Exclude<HistoryResolution, "raw">,
  timeZone: string,
  { from, to }: { readonly from: number; readonly to: number },
): Division {
  switch (resolution) {
    case "5m":
      return even("fiveMinutes");
    case "1h":
      return even("hours");
    case "1d":
    case "1mo": {
      const calendar = new Calendar(resolution === "1d" ? "day" : "month", timeZone);
      return {
        step: isWholeHours(calendar, from, to) ? "hours" : "fiveMinutes",
        startOf: (at) => calendar.startOf(at),
        after: (start) => calendar.after(start),
      };
    }
  }
}

/** Whether the zone's offsets from UTC are whole hours: a zone changes its offset at most a few times a year. */
function isWholeHours(calendar: Calendar, from: number, to: number): boolean {
  for (let at = from; at < to + MONTH; at += MONTH) if (calendar.startOf(at) % STEPS.hours !== 0) return false;
  return true;
}

function even(step: Step): Division {
  return { step, startOf: (at) => at - (at % STEPS[step]), after: (start) => start + STEPS[step] };
}

interface DenseAsked {
  readonly kind: HistoryKind;
  readonly step: Step;
  /** Start of the first step and end of the last one: wall clock, ms. */
  readonly from: number;
  readonly to: number;
  /** The time up to which the value is recorded; no step covers a later time. */
  readonly recordedUntil: number;
  /** The stored complete steps of that time, oldest first. */
  readonly kept: readonly Bucket[];
  readonly state: SeriesState;
  /** JSON of the value at the start; undefined when there was none yet. */
  readonly before: string | undefined;
  /** Merged gaps. */
  readonly gaps: readonly Interval[];
}

/** @returns the steps, oldest first */
export function denseBuckets(asked: DenseAsked): Bucket[] {
  const { kind, step, from, to, recordedUntil, kept, gaps } = asked;
  const length = STEPS[step];
  const known = new Map(kept.map((bucket) => [bucket.start, bucket]));
  const open = openUntil(asked);
  known.set(open.start, open);
  const end = Math.min(to, recordedUntil);
  let value = asked.before ?? NONE;
  const buckets: Bucket[] = [];
  for (let start = from; start < end; start += length) {
    const own = known.get(start);
    if (own) value = own.last;
    const bucket = own ?? heldFor(start);
    if (bucket && saysSomething(bucket)) buckets.push(bucket);
  }
  return buckets;

  function heldFor(start: number): Bucket | undefined {
    if (value === NONE || kind === "event") return undefined;
    const bucket = emptyBucket(start, value);
    hold(bucket, kind, value, knownTime(start, Math.min(start + length, recordedUntil), gaps));
    return bucket;
  }
}

/** The open step, including the value held since the last change. */
function openUntil({ kind, step, state, recordedUntil, gaps }: DenseAsked): Bucket {
  const bucket = copyOf(state.open[step]);
  const end = Math.min(bucket.start + STEPS[step], recordedUntil);
  hold(bucket, kind, state.value, knownTime(state.at, end, gaps));
  return bucket;
}
