/** Turns buckets into the points of an answer, by the kind of the series and the requested aggregates. Pure. */
import type { HistoryAggregate, HistoryKind, HistoryPoint } from "../api/index.ts";
import { formatTime } from "../kernel/index.ts";
import { type Bucket, NONE, OTHERS } from "./bucket.ts";

/** Aggregates that each kind supports. */
const OF_KIND: Readonly<Record<HistoryKind, readonly HistoryAggregate[]>> = {
  number: ["mean", "min", "max", "last", "count"],
  total: ["growth", "resets", "min", "max", "last", "count"],
  state: ["states", "last", "count"],
  event: ["happenings", "last", "count"],
};

/** @param asked the requested aggregates; undefined: all that the kind supports */
export function pointOf(kind: HistoryKind, bucket: Bucket, asked: ReadonlySet<HistoryAggregate> | undefined) {
  const point: HistoryPoint = { at: formatTime(bucket.start) };
  if (kind !== "event") point.knownSeconds = bucket.knownMs / 1000;
  for (const name of OF_KIND[kind]) if (!asked || asked.has(name)) ADD[name](point, bucket);
  return point;
}

const ADD: Readonly<Record<HistoryAggregate, (point: HistoryPoint, bucket: Bucket) => void>> = {
  mean: (point, { area, knownMs }) => {
    if (knownMs > 0 && area !== null) point.mean = rounded(area / knownMs);
  },
  min: (point, { min }) => {
    if (min !== null) point.min = min;
  },
  max: (point, { max }) => {
    if (max !== null) point.max = max;
  },
  last: (point, { last }) => {
    if (last !== NONE) point.last = JSON.parse(last);
  },
  count: (point, { count }) => {
    point.count = count;
  },
  growth: (point, { growth }) => {
    if (growth !== null) point.growth = rounded(growth);
  },
  resets: (point, { resets }) => {
    point.resets = resets;
  },
  states: (point, { states }) => {
    point.states = named(states).map(([value, ms]) => ({ value: JSON.parse(value), seconds: ms / 1000 }));
    const others = states[OTHERS];
    if (others !== undefined) point.otherStatesSeconds = others / 1000;
  },
  happenings: (point, { states }) => {
    point.happenings = named(states).map(([value, count]) => ({ value: JSON.parse(value), count }));
  },
};

/** States with their numbers, largest first. */
function named(states: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(states)
    .filter(([value]) => value !== OTHERS)
    .sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
}

/** Twelve digits, more than any sensor has: removes the rounding noise of sums. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
