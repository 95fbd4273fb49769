/** The history of one property as it is drawn: the pages of an answer as one, and what was told since. Pure. */
import type { HistoryGap, HistoryKind, HistoryPage, HistoryPoint, HistoryResolution } from "@porchlight/shared/api";
import { HOUR, type Span } from "./span.ts";

/** Why nothing is known of a time; `not_told`: this page was not told what happened, and the service may know. */
export type GapReason = HistoryGap["reason"] | "not_told";

export interface UnknownTime extends Span {
  readonly reason: GapReason;
  /** It had not ended when that was told; `to` is that time. */
  readonly isOpen?: true;
}

export interface Change {
  /** ms since 1970 */
  readonly at: number;
  /** null from when on there was none */
  readonly value: unknown;
}

/** Statistics of one step. */
export interface Step extends Omit<HistoryPoint, "at" | "value"> {
  /** When it began, ms since 1970. */
  readonly at: number;
}

interface Known {
  readonly key: string;
  readonly kind: HistoryKind;
  readonly unit: string | undefined;
  /** In order, none touching another. */
  readonly gaps: readonly UnknownTime[];
  /** Of what time it tells. */
  readonly range: Span;
  /** It reaches to the time up to which the service had recorded: what came later is known by what was told since. */
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

/** RecordedSeries by their property. @param keyOf how properties are told apart @param asked for what time was asked */
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

/** The service tells times in whole seconds, and this page hears of a change a little later, ms. */
const AROUND = 2500;

/**
 * A series with what was told after the answer was made. Of steps only gaps are added: they are asked for anew.
 * @param told in order, in the service's time @param unknown when nothing was told, or the device could not be heard; one that lasts has no end
 */
export function withTold(
  series: RecordedSeries,
  told: readonly Change[],
  unknown: readonly { readonly from: number; readonly to: number | undefined }[],
  now: number,
): RecordedSeries {
  const { range, goesOn } = series;
  if (!goesOn) return series;
  const later = unknown.flatMap(({ from, to = now }): UnknownTime[] =>
    to > range.to ? [{ from: Math.max(from, range.to), to, reason: "not_told" }] : [],
  );
  // A gap that the answer leaves open goes on, unless something was told since.
  const spoken = told.find(({ at }) => at >= range.to)?.at;
  const open = series.gaps.map((gap) => (gap.isOpen ? { ...gap, to: Math.max(gap.to, spoken ?? now) } : gap));
  const gaps = inOrder([...open, ...later]);
  if (series.resolution !== "raw") return { ...series, gaps };
  return { ...series, gaps, changes: [...series.changes, ...newOf(told, series.changes, range.to)] };
}

/** Whether the answer leaves it open when a device comes back that is known to be there: the service had not recorded that yet. */
export function missesReturn({ gaps, goesOn }: Known, isOnline: boolean): boolean {
  return isOnline && goesOn && gaps.some(({ isOpen, reason }) => isOpen && reason !== "not_recorded");
}

/** What the answer does not have: around its end the same may be in both. */
function newOf(told: readonly Change[], known: readonly Change[], end: number): readonly Change[] {
  const last = known.filter(({ at }) => at > end - 2 * AROUND);
  const isKnown = ({ at, value }: Change) => {
    const place = last.findIndex((each) => Math.abs(each.at - at) <= AROUND && isSame(each.value, value));
    if (place !== -1) last.splice(place, 1);
    return place !== -1;
  };
  const late = known.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  return told.filter((change) => change.at > end - AROUND && !isKnown(change) && change.at >= Math.max(late, end));
}

/** Whether two values are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function gapOf({ from, until, reason }: HistoryGap, end: number): UnknownTime[] {
  const begin = msOf(from);
  const to = until === undefined ? end : msOf(until);
  if (begin === undefined || to === undefined || to < begin) return [];
  return [{ from: begin, to, reason, ...(until === undefined && { isOpen: true }) }];
}

/** What has no time that can be read has no place in a chart. */
function changeOf(point: { readonly at: string; readonly value?: unknown } | undefined): Change[] {
  const at = point && msOf(point.at);
  return point === undefined || at === undefined ? [] : [{ at, value: point.value ?? null }];
}

function stepOf({ at: text, value: _, ...rest }: HistoryPoint): Step[] {
  const at = msOf(text);
  return at === undefined ? [] : [{ ...rest, at }];
}

/** Sorted; of two that overlap the later begins where the earlier ends; pages may tell the same one twice. */
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

// Times of history: the service's text as a number, and when a step that began then ends. Pure.

/** The service's `YYYY-MM-DD HH:MM:SSZ` as ms since 1970; undefined for what is no such time. */
function msOf(text: string): number | undefined {
  const ms = Date.parse(text.replace(" ", "T"));
  return Number.isNaN(ms) ? undefined : ms;
}

/** As the service takes it. @param ms since 1970 */
export function serviceTimeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")}Z`;
}

/** When a step ends. Days and months are those of this computer's time zone, which are asked for. @param at when it began, ms since 1970 */
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
