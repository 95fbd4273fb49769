/**
 * Records changes in order: the open buckets of a series take each change and return the buckets that are complete. Pure: the cloud and
 * a hub each store the result in their own tables.
 *
 * Invariants: a change with an earlier time than its predecessor counts from the predecessor's time; a value holds until the next
 * change, except during gaps; a step without a change is not kept, because the value before it implies it.
 */
import type { HistoryKind } from "../api/index.ts";
import { isTotal, type PropertyDescription } from "../model/index.ts";
import { type Bucket, copyOf, emptyBucket, hold, NONE, note } from "./bucket.ts";

/** Lengths of the kept steps, ms. */
export const STEPS = { fiveMinutes: 300_000, hours: 3_600_000 } as const;
export type Step = keyof typeof STEPS;
export const STEP_NAMES = Object.keys(STEPS) as readonly Step[];

/** The open state of a series. */
export interface SeriesState {
  /** JSON of the current value. */
  readonly value: string;
  /** Time of the current value, wall clock, ms: the steps are accumulated up to it. */
  readonly at: number;
  readonly open: Readonly<Record<Step, Bucket>>;
}

export interface Change {
  /** Wall clock, ms. */
  readonly at: number;
  /** JSON of the value. */
  readonly value: string;
}

export interface Recorded {
  readonly state: SeriesState;
  /** The buckets that this change completed. */
  readonly closed: readonly { readonly step: Step; readonly bucket: Bucket }[];
}

/** @param gaps the known gaps since the previous change, merged */
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
    if (before && open)
      hold(open, kind, before.value, knownTime(before.at, Math.min(at, open.start + STEPS[step]), gaps));
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

/** Start of the step that contains a time. */
export function startOf(step: Step, at: number): number {
  return at - (at % STEPS[step]);
}

/** A time in which a value is not known. Wall clock, ms; `until` is exclusive, and infinite while the gap lasts. */
export interface Interval {
  readonly from: number;
  readonly until: number;
}

/** The union as intervals that neither touch nor overlap, oldest first. */
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

/** Time outside the gaps, ms. @param gaps as {@link merged} returns them */
export function knownTime(from: number, until: number, gaps: readonly Interval[]): number {
  if (until <= from) return 0;
  let known = until - from;
  for (const gap of gaps) {
    if (gap.from >= until) break;
    known -= Math.max(0, Math.min(until, gap.until) - Math.max(from, gap.from));
  }
  return known;
}

/** The kind of series that a property's history is, which decides the aggregates of its steps: pure. */
export function historyKindOf(service: string, { property, type, access, values }: PropertyDescription): HistoryKind {
  if (!access.includes("read") && !access.includes("write")) return "event";
  if (values || (type !== "number" && type !== "integer")) return "state";
  return isTotal(service, property) ? "total" : "number";
}
