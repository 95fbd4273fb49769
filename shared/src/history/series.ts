/**
 * Records changes one after another: what is open of a series takes each of them, and gives back the buckets that are complete. Pure:
 * the cloud and a hub keep the result, each in its own tables.
 *
 * Invariants: a change that is dated earlier than the one before it counts from the time of that one; a value holds until the next
 * change, but for the gaps; a step in which nothing changed is not kept, because the value before it says what it was.
 */
import type { HistoryKind } from "../api/index.ts";
import { type Bucket, copyOf, emptyBucket, hold, NONE, note } from "./bucket.ts";

/** Lengths of the steps that are kept, ms. */
export const STEPS = { fiveMinutes: 300_000, hours: 3_600_000 } as const;
export type Step = keyof typeof STEPS;
export const STEP_NAMES = Object.keys(STEPS) as readonly Step[];

/** What is open of a series. */
export interface SeriesState {
  /** JSON of the value that holds. */
  readonly value: string;
  /** Since when, wall clock, ms: the steps are added up to then. */
  readonly at: number;
  readonly open: Readonly<Record<Step, Bucket>>;
}

export interface Change {
  /** Wall clock, ms. */
  readonly at: number;
  /** JSON. */
  readonly value: string;
}

export interface Recorded {
  readonly state: SeriesState;
  /** Those that are complete. */
  readonly closed: readonly { readonly step: Step; readonly bucket: Bucket }[];
}

/** @param gaps what is known of them, from the change before on, merged */
export function recordChange(
  kind: HistoryKind,
  before: SeriesState | undefined,
  change: Change,
  gaps: readonly Interval[],
): Recorded {
  const at = Math.max(change.at, before?.at ?? change.at);
  const closed: { step: Step; bucket: Bucket }[] = [];
  const next = (step: Step): Bucket => {
    const start = startOf(step, at);
    const open = before && copyOf(before.open[step]);
    let bucket = open;
    if (before && open) hold(open, kind, before.value, knownTime(before.at, Math.min(at, endOf(step, open)), gaps));
    if (!bucket || bucket.start !== start) {
      if (bucket) closed.push({ step, bucket });
      bucket = emptyBucket(start, before?.value ?? NONE);
      if (before) hold(bucket, kind, before.value, knownTime(start, at, gaps));
    }
    note(bucket, kind, change.value, before?.value);
    return bucket;
  };
  const open = { fiveMinutes: next("fiveMinutes"), hours: next("hours") };
  return { state: { value: change.value, at, open }, closed };
}

/** Where the step begins that a time is in. */
export function startOf(step: Step, at: number): number {
  return at - (at % STEPS[step]);
}

function endOf(step: Step, bucket: Bucket): number {
  return bucket.start + STEPS[step];
}

// Times in which a value is not known, as intervals: pure. Its own file because both what records and what reads subtracts them.

/** Wall clock, ms; `until` is exclusive, and infinite while it lasts. */
export interface Interval {
  readonly from: number;
  readonly until: number;
}

/** The same time in intervals that neither meet nor overlap, the oldest first. */
export function merged(intervals: readonly Interval[]): Interval[] {
  const sorted = intervals.filter(({ from, until }) => until > from).sort((one, other) => one.from - other.from);
  const all: Interval[] = [];
  for (const each of sorted) {
    const last = all.at(-1);
    if (last && each.from <= last.until)
      all[all.length - 1] = { from: last.from, until: Math.max(last.until, each.until) };
    else all.push(each);
  }
  return all;
}

/** How much of a time is outside the gaps, ms. @param gaps as {@link merged} gives them */
export function knownTime(from: number, until: number, gaps: readonly Interval[]): number {
  if (until <= from) return 0;
  let known = until - from;
  for (const gap of gaps) {
    if (gap.from >= until) break;
    known -= Math.max(0, Math.min(until, gap.until) - Math.max(from, gap.from));
  }
  return known;
}
