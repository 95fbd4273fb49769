/**
 * Pages over the points of several series (A11). The position of the next page is plain data, so that cloud and hub each seal it in
 * their own way.
 */
import type { HistoryGap, HistoryPage, HistoryPoint, HistoryResolution, HistorySeries } from "../api/index.ts";
import { formatTime } from "../kernel/index.ts";
import type { HistoryAsked } from "./history-query.ts";
import {
  type HistorySource,
  type HistorySources,
  inOrder,
  type RowPlace,
  type SourceGap,
  seriesKey,
} from "./history-source.ts";
import { PAGE_BYTES } from "./request/query.ts";
import { aboutOf, pointsOf, type Reading, readingOf } from "./series-points.ts";

/** Start of the next page, as plain JSON. Time range and resolution are those of the first page, even if `now` has moved on. */
export interface HistoryPlace {
  readonly from: number;
  readonly to: number;
  readonly resolution: HistoryResolution;
  /** Key of the first series of the page. */
  readonly series: string;
  /** The last point of that series on an earlier page. */
  readonly after?: RowPlace | undefined;
}

export interface HistoryPart {
  readonly page: Omit<HistoryPage, "continuationToken">;
  /** Undefined after the last page. */
  readonly next: HistoryPlace | undefined;
}

/**
 * @param place `next` of the previous page; undefined at the start
 * @param size maximum number of points; a series without points counts as one
 * @param bytes after which the page ends; its first point may be larger
 */
export async function historyPart(
  sources: HistorySources,
  asked: HistoryAsked,
  place: HistoryPlace | undefined,
  size: number,
  bytes = PAGE_BYTES,
): Promise<HistoryPart> {
  const { from, to, resolution } = place ?? asked;
  const reading = readingOf({ ...asked, from, to, resolution }, sources);
  const items: HistorySeries[] = [];
  const room: Room = { points: size, bytes };
  let next: HistoryPlace | undefined;
  for (const source of inOrder(sources.series, place?.series)) {
    const series = seriesKey(source);
    const after = place?.series === series ? place.after : undefined;
    const piece = room.points > 0 && room.bytes > 0 ? await pieceOf(source, reading, after, room) : undefined;
    if (piece) items.push(piece.series);
    if (piece?.series.points.length === 0) room.points -= 1;
    if (piece?.isWhole) continue;
    next = { from, to, resolution, series, after: piece?.last };
    break;
  }
  return { page: { items, ...aboutOf(reading) }, next };
}

/** The complete answer. @param token sealed from `next`; undefined on the last page */
export function historyPageOf({ page }: HistoryPart, token: string | undefined): HistoryPage {
  const { items, ...about } = page;
  return { items, ...(token !== undefined && { continuationToken: token }), ...about };
}

/** Remaining room of a page. */
interface Room {
  points: number;
  /** Negative after the point that exceeds the limit: the page includes that point, so that no page is empty. */
  bytes: number;
}

interface Piece {
  readonly series: HistorySeries;
  /** Whether the series has no further points. */
  readonly isWhole: boolean;
  /** The last point in this piece. */
  readonly last: RowPlace | undefined;
}

async function pieceOf(
  source: HistorySource,
  reading: Reading,
  after: RowPlace | undefined,
  room: Room,
): Promise<Piece> {
  const head = after ? headOf(source) : { ...headOf(source), ...(await beginningOf(source, reading)) };
  const points: HistoryPoint[] = [];
  let last = after;
  for await (const window of pointsOf(source, reading, after)) {
    for (const { point, at, sequence } of window) {
      if (room.points <= 0 || room.bytes <= 0) return { series: { ...head, points }, isWhole: false, last };
      points.push(point);
      last = { at, sequence };
      room.points -= 1;
      room.bytes -= Buffer.byteLength(JSON.stringify(point));
    }
  }
  return { series: { ...head, points }, isWhole: true, last };
}

function headOf({ deviceId, service, index, property, kind, unit }: HistorySource) {
  return { deviceId, service, index, property, kind, ...(unit !== undefined && { unit }) };
}

/** Members that a series states once, with its first points. */
async function beginningOf(source: HistorySource, { from, to, division }: Reading) {
  // An event holds for no time, so an earlier one is not the value at the start.
  const before = division || source.kind === "event" ? undefined : await source.before(from);
  const gaps = await source.gaps(from, to);
  return {
    ...(before && { before: { at: formatTime(before.at), value: JSON.parse(before.value) } }),
    ...(gaps.length > 0 && { gaps: gaps.map(shown) }),
  };
}

function shown({ from, until, reason }: SourceGap): HistoryGap {
  return {
    from: formatTime(from),
    ...(Number.isFinite(until) && { until: formatTime(until) }),
    reason,
  };
}
