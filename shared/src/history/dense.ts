/** The complete steps of a time range: without a change the value continues, and where nothing is known there is no step. Pure. */
import type { HistoryKind } from "../api/index.ts";
import { type Bucket, copyOf, emptyBucket, hold, NONE, saysSomething } from "./bucket.ts";
import { type Interval, knownTime, type SeriesState, STEPS, type Step } from "./series.ts";

export interface DenseAsked {
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
