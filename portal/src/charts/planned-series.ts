/** The history of one property as a series: the merged pages of a response, extended by live changes. Pure. */
import type { HistoryGap, HistoryKind, HistoryPage, HistoryPoint, HistoryResolution } from "@porchlight/shared/api";
import { HOUR, type Span } from "./span.ts";

/** The reason of a gap; `not_received`: this page received no events then, but the service may have the data. */
export type GapReason = HistoryGap["reason"] | "not_received";

export interface UnknownTime extends Span {
  readonly reason: GapReason;
  /** The gap was still open when the service answered; `to` is the time of the answer. */
  readonly isOpen?: true;
}

export interface Change {
  /** In ms since 1970. */
  readonly at: number;
  /** null from the moment on when there was no value. */
  readonly value: unknown;
}

/** Statistics of one step. */
export interface Step extends Omit<HistoryPoint, "at" | "value"> {
  /** Begin of the step, in ms since 1970. */
  readonly at: number;
}

interface Known {
  readonly key: string;
  readonly kind: HistoryKind;
  readonly unit: string | undefined;
  /** In order and disjoint. */
  readonly gaps: readonly UnknownTime[];
  /** The time that the series covers. */
  readonly range: Span;
  /** The series reaches the end of the service's records; live events supply everything later. */
  readonly goesOn: boolean;
}

export type RecordedSeries =
  | (Known & { readonly resolution: "raw"; readonly before: Change | undefined; readonly changes: readonly Change[] })
  | (Known & { readonly resolution: Exclude<HistoryResolution, "raw">; readonly steps: readonly Step[] });

interface Named {
  readonly deviceId: string;
  readonly service: string;
  readonly index: string;
  readonly property: string;
}

/** Groups pages into one series per property. @param keyOf the key of a property @param asked the requested time span */
export function recordedOf(
  pages: readonly HistoryPage[],
  keyOf: (named: Named) => string,
  asked: Span,
): readonly RecordedSeries[] {
  const [first] = pages;
  if (!first) return [];
  const range = { from: msOf(first.range.from) ?? 0, to: msOf(pages.at(-1)?.range.to ?? first.range.to) ?? 0 };
  const parts = Map.groupBy(
    pages.flatMap(({ items }) => items),
    keyOf,
  );
  return [...parts].flatMap(([key, all]): RecordedSeries[] => {
    const [begin] = all;
    if (!begin) return [];
    const { kind, unit } = begin;
    const gaps = inOrder(all.flatMap((part) => (part.gaps ?? []).flatMap((gap) => gapOf(gap, range.to))));
    const known = { key, kind, unit, gaps, range, goesOn: range.to < asked.to };
    const points = all.flatMap((part) => part.points);
    if (first.resolution === "raw") {
      const before = all.flatMap((part) => changeOf(part.before))[0];
      return [{ ...known, resolution: "raw" as const, before, changes: points.flatMap(changeOf) }];
    }
    return [{ ...known, resolution: first.resolution, steps: points.flatMap(stepOf) }];
  });
}

/** Tolerance in ms: the service's time stamps have whole seconds, and this page receives a change slightly later. */
const AROUND = 2500;

/**
 * Extends a series by the live changes since the response. Series of steps get only gaps, because the next poll brings their steps.
 * @param live live changes in order, in the service's time
 * @param unknown times without events or with an unreachable device; an open one has no end
 */
export function withLiveChanges(
  series: RecordedSeries,
  live: readonly Change[],
  unknown: readonly { readonly from: number; readonly to: number | undefined }[],
  now: number,
): RecordedSeries {
  const { range, goesOn } = series;
  if (!goesOn) return series;
  const later = unknown.flatMap(({ from, to = now }): UnknownTime[] =>
    to > range.to ? [{ from: Math.max(from, range.to), to, reason: "not_received" }] : [],
  );
  // A gap that the response leaves open continues, unless a live change has ended it.
  const spoken = live.find(({ at }) => at >= range.to)?.at;
  const open = series.gaps.map((gap) => (gap.isOpen ? { ...gap, to: Math.max(gap.to, spoken ?? now) } : gap));
  const gaps = inOrder([...open, ...later]);
  if (series.resolution !== "raw") return { ...series, gaps };
  return { ...series, gaps, changes: [...series.changes, ...newOf(live, series.changes, range.to)] };
}

/** Whether the series ends in an open gap although the device is online: the service had not recorded the return yet when it answered. */
export function missesReturn({ gaps, goesOn }: Known, isOnline: boolean): boolean {
  return isOnline && goesOn && gaps.some(({ isOpen, reason }) => isOpen && reason !== "not_recorded");
}

/** The live changes that the response lacks. Around its end a change can be in both. */
function newOf(live: readonly Change[], known: readonly Change[], end: number): readonly Change[] {
  const last = known.filter(({ at }) => at > end - 2 * AROUND);
  const isKnown = ({ at, value }: Change) => {
    const place = last.findIndex((each) => Math.abs(each.at - at) <= AROUND && isSame(each.value, value));
    if (place !== -1) last.splice(place, 1);
    return place !== -1;
  };
  const late = known.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  return live.filter((change) => change.at > end - AROUND && !isKnown(change) && change.at >= Math.max(late, end));
}

/** Whether two values are equal. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function gapOf({ from, until, reason }: HistoryGap, end: number): UnknownTime[] {
  const begin = msOf(from);
  const to = until === undefined ? end : msOf(until);
  if (begin === undefined || to === undefined || to < begin) return [];
  return [{ from: begin, to, reason, ...(until === undefined && { isOpen: true }) }];
}

/** A point without a valid time cannot be drawn. */
function changeOf(point: { readonly at: string; readonly value?: unknown } | undefined): Change[] {
  const at = point && msOf(point.at);
  return point === undefined || at === undefined ? [] : [{ at, value: point.value ?? null }];
}

function stepOf({ at: text, value: _, ...rest }: HistoryPoint): Step[] {
  const at = msOf(text);
  return at === undefined ? [] : [{ ...rest, at }];
}

/** Sorts gaps and trims overlaps: the later one begins where the earlier one ends. Two pages can contain the same gap. */
function inOrder(gaps: readonly UnknownTime[]): readonly UnknownTime[] {
  const all: UnknownTime[] = [];
  for (const gap of gaps.toSorted((one, other) => one.from - other.from || one.to - other.to)) {
    const last = all.at(-1);
    if (!last || last.to <= gap.from) {
      if (gap.to > gap.from || gap.isOpen) all.push(gap);
      continue;
    }
    if (last.reason === gap.reason) all[all.length - 1] = gap.to >= last.to ? { ...gap, from: last.from } : last;
    else if (gap.to > last.to) all.push({ ...gap, from: last.to });
  }
  return all;
}

/** Parses the service's `YYYY-MM-DD HH:MM:SSZ` to ms since 1970; undefined for an invalid time. */
function msOf(text: string): number | undefined {
  const ms = Date.parse(text.replace(" ", "T"));
  return Number.isNaN(ms) ? undefined : ms;
}

/** Formats a time for the service. @param ms since 1970 */
export function serviceTimeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")}Z`;
}

/**
 * End of a step. Days and months are those of the browser's time zone, which the request names.
 * @param at begin of the step, ms since 1970
 */
export function endOfStep(at: number, resolution: HistoryResolution): number {
  const begin = new Date(at);
  switch (resolution) {
    case "raw":
      return at;
    case "5m":
      return at + 300_000;
    case "1h":
      return at + HOUR;
    case "1d":
      return new Date(begin.getFullYear(), begin.getMonth(), begin.getDate() + 1).getTime();
    case "1mo":
      return new Date(begin.getFullYear(), begin.getMonth() + 1, 1).getTime();
  }
}
