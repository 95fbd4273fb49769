/** Statistics of a property over a span of time, added up value by value: pure. The span is a step of five minutes, an hour, a day or a month. */
import type { HistoryKind } from "../api/index.ts";

/** Values of a state that a bucket tells apart; the time of others is under {@link OTHERS}. */
const MOST_STATES = 16;
/** A longer value, as JSON, is one of the others. */
const LONGEST_STATE = 128;
/** No JSON text is empty. */
export const OTHERS = "";
/** JSON of a property that has no value. */
export const NONE = "null";

export interface Bucket {
  /** Where it begins: wall clock, ms. */
  readonly start: number;
  /** Changes in it. */
  count: number;
  /** For how much of it the value is known, ms. */
  knownMs: number;
  /** Of numbers that were reported in it or held in it. */
  min: number | null;
  max: number | null;
  /** Sum of value times ms; null when it is larger than a number can be. */
  area: number | null;
  /** Of a total: by how much it grew, null when that is larger than a number can be, and how often it became smaller. */
  growth: number | null;
  resets: number;
  /** JSON of the value at its end, as far as it is known. */
  last: string;
  /** By the JSON of a value: of a state for how long it held, ms; of an event how often it was reported. Empty for numbers. */
  states: Record<string, number>;
}

/** @param last JSON of the value that holds when it begins */
export function emptyBucket(start: number, last: string): Bucket {
  return { start, count: 0, knownMs: 0, min: null, max: null, area: 0, growth: 0, resets: 0, last, states: {} };
}

/** A value has held for some known time. @param value JSON */
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

/** A value was reported. @param previous JSON of the one before it; undefined of the first */
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

/** Two sums together; null once the sum overflows, and it stays so: infinities of both signs would else add up to NaN. */
function sumOf(sum: number | null, more: number | null): number | null {
  if (sum === null || more === null) return null;
  const total = sum + more;
  return Number.isFinite(total) ? total : null;
}

/** A sum as a database keeps it, in a column that takes no null: an overflow is infinite. */
export function storedSum(sum: number | null): number {
  return sum ?? Number.POSITIVE_INFINITY;
}

/** A sum from its column. PostgreSQL may hold NaN, which older versions stored for an overflow. */
export function readSum(stored: number | null): number | null {
  return stored !== null && Number.isFinite(stored) ? stored : null;
}

/** Whether it says anything. */
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
