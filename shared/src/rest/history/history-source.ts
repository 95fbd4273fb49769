/**
 * What whoever keeps history must be able to tell, so that the cloud and a hub at home give the same answers byte for byte: each
 * implements this over its own tables. Its own file because both sides need it and nothing else of how an answer is made.
 */
import type { HistoryGap, HistoryKind } from "../../api/index.ts";
import type { Bucket, SeriesState, Step } from "../../history/index.ts";
import type { PropertyAddress } from "../../model/index.ts";

type MaybePromise<T> = T | Promise<T>;

/** One change as it is kept. */
export interface HistoryRow {
  /** Wall clock, ms. */
  readonly at: number;
  /** Tells changes of one time apart, in their order. */
  readonly sequence: number;
  /** JSON. */
  readonly value: string;
}

/** Where among the changes of a series. */
export type RowPlace = Pick<HistoryRow, "at" | "sequence">;

/** Wall clock, ms; `until` is exclusive, and infinite while it lasts. */
export interface SourceGap {
  readonly from: number;
  readonly until: number;
  readonly reason: HistoryGap["reason"];
}

export interface SourceOverview {
  readonly state: SeriesState;
  /** Of nothing earlier a change or a step is kept: wall clock, ms. */
  readonly begins: number;
}

/** The history of one property. Times are wall clock, ms; `from` is inclusive, `to` exclusive. */
export interface HistorySource extends PropertyAddress {
  readonly deviceId: string;
  readonly kind: HistoryKind;
  readonly unit: string | undefined;
  /** Undefined when nothing is recorded. Asked before all else: what is told after it may be newer. */
  overview(): MaybePromise<SourceOverview | undefined>;
  /** Changes in the order of time and sequence, those after a place only. */
  raw(from: number, to: number, after: RowPlace | undefined, limit: number): MaybePromise<readonly HistoryRow[]>;
  /** The last change before a time; undefined when it is not known. */
  before(at: number): MaybePromise<{ readonly at: number; readonly value: string } | undefined>;
  /** Complete steps that begin in a time, the oldest first. */
  kept(step: Step, from: number, to: number): MaybePromise<readonly Bucket[]>;
  /** JSON of the value that held where a step begins: of the newest kept step before it, say; undefined when it is not known. */
  heldAt(step: Step, at: number): MaybePromise<string | undefined>;
  /** Gaps that reach into a time, in the order of their beginnings; whole, not cut. */
  gaps(from: number, to: number): MaybePromise<readonly SourceGap[]>;
}

/** What one answer tells of. */
export interface HistorySources {
  /** Everything before it is recorded, wall clock, ms. Read before any series is. */
  readonly recordedUntil: number;
  /** Nothing earlier is recorded of any series, wall clock, ms; may be too early. */
  readonly begins: number;
  /** In any order. */
  readonly series: readonly HistorySource[];
}

/** Names a series of an answer. Series are in this order. */
export function seriesKey({ deviceId, service, index, property }: HistorySource): string {
  return `${deviceId} ${service}:${index}.${property}`;
}

/** In the order of the answer. @param first the key of the first one that is wanted */
export function inOrder(series: readonly HistorySource[], first = ""): HistorySource[] {
  return series
    .map((source) => ({ source, key: seriesKey(source) }))
    .filter(({ key }) => key >= first)
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ source }) => source);
}
