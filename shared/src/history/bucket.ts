/** Statistics of a property over a span of time, accumulated value by value: pure. The span is five minutes, an hour, a day or a month. */
import type { HistoryAggregate, HistoryKind, HistoryPoint } from "../api/index.ts";
import { formatTime } from "../kernel/index.ts";

/** Distinct states that a bucket counts; the time of any further state is under {@link OTHERS}. */
const MOST_STATES = 16;
/** Longest state, as JSON; a longer one counts under {@link OTHERS}. */
const LONGEST_STATE = 128;
/** Key of all other states: no JSON text is empty. */
export const OTHERS = "";
/** JSON of a property that has no value. */
export const NONE = "null";

export interface Bucket {
  /** Start of the span: wall clock, ms. */
  readonly start: number;
  /** Number of changes in the span. */
  count: number;
  /** Time for which the value is known, ms. */
  knownMs: number;
  /** Minimum of the numbers that were reported or held in the span. */
  min: number | null;
  max: number | null;
  /** Sum of value times ms; null when it is larger than a number can be. */
  area: number | null;
  /** For a total: its growth, null on overflow, and the number of times that it became smaller. */
  growth: number | null;
  resets: number;
  /** JSON of the last known value in the span. */
  last: string;
  /** By JSON of the value: for a state the time that it held, ms; for an event the number of reports. Empty for numbers. */
  states: Record<string, number>;
}

/** @param last JSON of the value at the start of the span */
export function emptyBucket(start: number, last: string): Bucket {
  return { start, count: 0, knownMs: 0, min: null, max: null, area: 0, growth: 0, resets: 0, last, states: {} };
}

/** Adds a known time for which a value held. @param value JSON */
export function hold(bucket: Bucket, kind: HistoryKind, value: string, knownMs: number): void {
  if (kind === "event" || knownMs <= 0 || value === NONE) return;
  const number = numberOf(kind, value);
  if (isNumeric(kind) && number === undefined) return;
  bucket.knownMs += knownMs;
  if (number === undefined) addState(bucket, value, knownMs);
  else {
    bucket.area = sumOf(bucket.area, number * knownMs);
    reach(bucket, number);
  }
}

/** Adds a reported value. @param previous JSON of the value before it; undefined for the first */
export function note(bucket: Bucket, kind: HistoryKind, value: string, previous: string | undefined): void {
  bucket.count += 1;
  bucket.last = value;
  if (kind === "event") addState(bucket, value, 1);
  const number = numberOf(kind, value);
  if (number === undefined) return;
  reach(bucket, number);
  const before = previous === undefined ? undefined : numberOf(kind, previous);
  if (kind !== "total" || before === undefined) return;
  bucket.growth = sumOf(bucket.growth, number < before ? number : number - before);
  if (number < before) bucket.resets += 1;
}

/** Adds a later bucket to an earlier one. */
export function append(bucket: Bucket, later: Bucket): void {
  bucket.count += later.count;
  bucket.knownMs += later.knownMs;
  bucket.area = sumOf(bucket.area, later.area);
  bucket.growth = sumOf(bucket.growth, later.growth);
  bucket.resets += later.resets;
  bucket.last = later.last;
  for (const bound of [later.min, later.max]) if (bound !== null) reach(bucket, bound);
  for (const [value, amount] of Object.entries(later.states)) addState(bucket, value, amount);
}

/** Adds two sums. Null after an overflow, and then for ever: infinities of opposite signs would add up to NaN. */
function sumOf(sum: number | null, more: number | null): number | null {
  if (sum === null || more === null) return null;
  const total = sum + more;
  return Number.isFinite(total) ? total : null;
}

/** A sum for a database column that takes no null: an overflow is stored as infinity. */
export function storedSum(sum: number | null): number {
  return sum ?? Number.POSITIVE_INFINITY;
}

/** A sum from its column. PostgreSQL may hold NaN, which older versions stored for an overflow. */
export function readSum(stored: number | null): number | null {
  return stored !== null && Number.isFinite(stored) ? stored : null;
}

/** Whether the bucket holds any information. */
export function saysSomething({ count, knownMs }: Bucket): boolean {
  return count > 0 || knownMs > 0;
}

export function copyOf(bucket: Bucket): Bucket {
  return { ...bucket, states: { ...bucket.states } };
}

export function isNumeric(kind: HistoryKind): boolean {
  return kind === "number" || kind === "total";
}

function numberOf(kind: HistoryKind, value: string): number | undefined {
  if (!isNumeric(kind)) return undefined;
  const number: unknown = JSON.parse(value);
  return typeof number === "number" ? number : undefined;
}

function reach(bucket: Bucket, value: number): void {
  bucket.min = bucket.min === null ? value : Math.min(bucket.min, value);
  bucket.max = bucket.max === null ? value : Math.max(bucket.max, value);
}

function addState(bucket: Bucket, value: string, amount: number): void {
  const { states } = bucket;
  const isKnown = states[value] !== undefined;
  const isOther = !isKnown && (value.length > LONGEST_STATE || namedStates(states) >= MOST_STATES);
  const key = isOther ? OTHERS : value;
  states[key] = (states[key] ?? 0) + amount;
}

function namedStates(states: Readonly<Record<string, number>>): number {
  return Object.keys(states).length - (states[OTHERS] === undefined ? 0 : 1);
}

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
