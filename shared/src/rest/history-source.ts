/**
 * The interface of a history store: the cloud and a hub at home each implement it over their own tables, so that both give the same
 * answers byte for byte. Its own file because both need it, and nothing else of how an answer is made.
 */
import type { HistoryGap, HistoryKind } from "../api/index.ts";
import type { Bucket, SeriesState, Step } from "../history/index.ts";
import type { PropertyAddress } from "../model/index.ts";

type MaybePromise<T> = T | Promise<T>;

/** One stored change. */
export interface HistoryRow {
  /** Wall clock, ms. */
  readonly at: number;
  /** Orders changes that have the same time. */
  readonly sequence: number;
  /** JSON of the value. */
  readonly value: string;
}

/** Position among the changes of a series. */
export type RowPlace = Pick<HistoryRow, "at" | "sequence">;

/** Wall clock, ms; `until` is exclusive, and infinite while the gap lasts. */
export interface SourceGap {
  readonly from: number;
  readonly until: number;
  readonly reason: HistoryGap["reason"];
}

export interface SourceOverview {
  readonly state: SeriesState;
  /** No earlier change or step is kept: wall clock, ms. */
  readonly begins: number;
}

/** The history of one property. Times are wall clock, ms; `from` is inclusive, `to` exclusive. */
export interface HistorySource extends PropertyAddress {
  readonly deviceId: string;
  readonly kind: HistoryKind;
  readonly unit: string | undefined;
  /** Undefined when nothing is recorded. Call it before the other methods: they may return newer data. */
  overview(): MaybePromise<SourceOverview | undefined>;
  /** Changes ordered by time and sequence; only those after `after`. */
  raw(from: number, to: number, after: RowPlace | undefined, limit: number): MaybePromise<readonly HistoryRow[]>;
  /** The last change before `at`; undefined when it is not known. */
  before(at: number): MaybePromise<{ readonly at: number; readonly value: string } | undefined>;
  /** Complete steps that begin in this time, oldest first. */
  kept(step: Step, from: number, to: number): MaybePromise<readonly Bucket[]>;
  /** JSON of the value at the start of a step, for example from the newest kept step before it; undefined when it is not known. */
  heldAt(step: Step, at: number): MaybePromise<string | undefined>;
  /** Gaps that overlap this time, ordered by their start; whole, not clipped. */
  gaps(from: number, to: number): MaybePromise<readonly SourceGap[]>;
}

/** The series of one answer. */
export interface HistorySources {
  /** Everything before this time is recorded, wall clock, ms. Read it before any series. */
  readonly recordedUntil: number;
  /** No series has anything earlier, wall clock, ms; may be earlier than the first data. */
  readonly begins: number;
  /** In any order. */
  readonly series: readonly HistorySource[];
}

/** Key of a series in an answer; an answer sorts its series by it. */
export function seriesKey({ deviceId, service, index, property }: HistorySource): string {
  return `${deviceId} ${service}:${index}.${property}`;
}

/** The series in the order of the answer. @param first key of the first series to include */
export function inOrder(series: readonly HistorySource[], first = ""): HistorySource[] {
  return series
    .map((source) => ({ source, key: seriesKey(source) }))
    .filter(({ key }) => key >= first)
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ source }) => source);
}
