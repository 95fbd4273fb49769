/**
 * The rows of history as CSV and NDJSON have them (A11.8): the points of each series and, change by change, its gaps between them. Its own
 * file because pages tell gaps beside the points, and text has no other place for them than among these.
 */
import type { HistoryGap, HistoryPoint } from "../../api/index.ts";
import { formatTime } from "../../kernel/index.ts";
import type { HistoryAsked } from "./history-query.ts";
import { readingOf } from "./history-reading.ts";
import { type HistorySource, type HistorySources, inOrder, type SourceGap } from "./history-source.ts";
import { type PlacedPoint, pointsOf } from "./series-points.ts";

/** A time in which nothing is known. `value` is null, so that whoever knows no gaps takes it for a time without a value. */
interface GapRow {
  /** When it begins. */
  readonly at: string;
  readonly value: null;
  /** Absent while it lasts. */
  readonly gapUntil?: string | undefined;
  readonly gapReason: HistoryGap["reason"];
}

/** Whatever is a row: only gaps have a `gapReason`. */
export type HistoryTextRow = HistoryPoint & Partial<Omit<GapRow, "at" | "value">>;

/** Some rows of one series. */
interface RowWindow {
  readonly source: HistorySource;
  readonly rows: readonly HistoryTextRow[];
}

/** Series by series, each in the order of time. Steps say by `knownSeconds` what is not known: they have no gaps. */
export async function* rowsOf(sources: HistorySources, asked: HistoryAsked): AsyncGenerator<RowWindow> {
  const reading = readingOf(asked, sources);
  for (const source of inOrder(sources.series)) {
    const gaps = reading.division ? [] : [...(await source.gaps(reading.from, reading.to))];
    const waiting = gaps.sort((one, other) => one.from - other.from);
    for await (const points of pointsOf(source, reading, undefined)) yield { source, rows: merged(points, waiting) };
    if (waiting.length > 0) yield { source, rows: waiting.map(rowOf) };
  }
}

/** Takes the gaps that begin before the last of the points. What came in the very moment in which a gap begins was still known. */
function merged(points: readonly PlacedPoint[], waiting: SourceGap[]): HistoryTextRow[] {
  const rows: HistoryTextRow[] = [];
  for (const { at, point } of points) {
    const later = waiting.findIndex(({ from }) => from >= at);
    rows.push(...waiting.splice(0, later < 0 ? waiting.length : later).map(rowOf), point);
  }
  return rows;
}

function rowOf({ from, until, reason }: SourceGap): GapRow {
  return {
    at: formatTime(from),
    value: null,
    ...(Number.isFinite(until) && { gapUntil: formatTime(until) }),
    gapReason: reason,
  };
}
