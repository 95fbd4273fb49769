/**
 * Serialises history: a page as JSON in slices, and the complete history as lines of CSV or NDJSON (A11). Its own file so that cloud
 * and hub write the same bytes.
 */
import { createHash } from "node:crypto";
import {
  HISTORY_AGGREGATES,
  type HistoryAggregate,
  type HistoryGap,
  type HistoryPage,
  type HistoryPoint,
} from "../api/index.ts";
import { formatTime } from "../kernel/index.ts";
import type { HistoryAsked } from "./history-query.ts";
import { type HistorySource, type HistorySources, inOrder, type SourceGap } from "./history-source.ts";
import { turnByTurn } from "./properties/slices.ts";
import { type PlacedPoint, pointsOf, readingOf } from "./series-points.ts";

/** Number of points in a slice of JSON. */
const SLICE_POINTS = 500;

/** The JSON of a page and its `etag`; other work runs between the slices. History has no version, so the tag is a digest of the content. */
export async function historyText(
  page: HistoryPage,
): Promise<{ readonly slices: readonly string[]; readonly etag: string }> {
  const slices: string[] = [];
  const hash = createHash("sha256");
  for await (const slice of turnByTurn(historySlices(page))) {
    slices.push(slice);
    hash.update(slice);
  }
  return { slices, etag: `"${hash.digest("base64url").slice(0, 22)}"` };
}

/** The JSON of a page, in slices. */
export function* historySlices({ items, ...about }: HistoryPage): Generator<string> {
  let opening = '{"items":[';
  for (const { points, ...head } of items) {
    const [first = "[]", ...others] = [...slicesOf(points)];
    yield `${opening}${JSON.stringify(head).slice(0, -1)},"points":${first}`;
    yield* others;
    yield "}";
    opening = ",";
  }
  yield `${items.length === 0 ? opening : ""}],${JSON.stringify(about).slice(1)}`;
}

function* slicesOf(points: readonly HistoryPoint[]): Generator<string> {
  for (let from = 0; from < points.length; from += SLICE_POINTS) {
    const text = JSON.stringify(points.slice(from, from + SLICE_POINTS)).slice(1, -1);
    yield `${from === 0 ? "[" : ","}${text}${from + SLICE_POINTS >= points.length ? "]" : ""}`;
  }
}

/** A line for each point and, for raw changes, for each gap, with the series in every line; no pages. */
export async function* ndjsonOf(sources: HistorySources, asked: HistoryAsked): AsyncGenerator<string> {
  for await (const { source, rows } of rowsOf(sources, asked)) {
    const { deviceId, service, index, property, unit } = source;
    const head = { deviceId, service, index, property, unit };
    yield rows.map((row) => `${JSON.stringify({ ...head, ...row })}\n`).join("");
  }
}

/** The same rows as CSV; the columns are the same for every kind of series. */
export async function* csvOf(sources: HistorySources, asked: HistoryAsked): AsyncGenerator<string> {
  const columns = columnsOf(asked);
  yield lineOf(["deviceId", "service", "index", "property", "unit", ...columns]);
  for await (const { source, rows } of rowsOf(sources, asked)) {
    const { deviceId, service, index, property, unit = "" } = source;
    const head = [deviceId, service, index, property, unit];
    yield rows.map((row) => lineOf([...head, ...columns.map((column) => textOf(row[column]))])).join("");
  }
}

/** Further columns of an aggregate. */
const WITH: Partial<Readonly<Record<HistoryAggregate, readonly (keyof HistoryPoint)[]>>> = {
  states: ["states", "otherStatesSeconds"],
};

function columnsOf({ resolution, aggregates }: HistoryAsked): (keyof HistoryTextRow)[] {
  if (resolution === "raw") return ["at", "value", "gapUntil", "gapReason"];
  const names = HISTORY_AGGREGATES.filter((name) => !aggregates || aggregates.has(name));
  return ["at", "knownSeconds", ...names.flatMap((name) => WITH[name] ?? [name])];
}

/** A text unchanged, any other value as JSON; empty when there is no value. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  // Spreadsheets treat a cell with such a beginning as a formula; in quotes it is text.
  const isText = typeof value === "string" && !/^[=+\-@\t\r]/.test(value);
  return isText ? value : JSON.stringify(value);
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

/** Quotes a cell (RFC 4180). */
function cellOf(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A gap as a row of CSV or NDJSON (A11.8): pages list gaps beside the points, but text has no other place for them than between the
 * points. `value` is null, so that a reader that does not know gaps treats it as a time without a value.
 */
interface GapRow {
  /** Start of the gap. */
  readonly at: string;
  readonly value: null;
  /** Absent while the gap lasts. */
  readonly gapUntil?: string | undefined;
  readonly gapReason: HistoryGap["reason"];
}

/** Any row: only gaps have a `gapReason`. */
type HistoryTextRow = HistoryPoint & Partial<Omit<GapRow, "at" | "value">>;

/** Some rows of one series. */
interface RowWindow {
  readonly source: HistorySource;
  readonly rows: readonly HistoryTextRow[];
}

/** The rows series by series, each ordered by time. Steps have no gaps: `knownSeconds` states what is not known. */
async function* rowsOf(sources: HistorySources, asked: HistoryAsked): AsyncGenerator<RowWindow> {
  const reading = readingOf(asked, sources);
  for (const source of inOrder(sources.series)) {
    const gaps = reading.division ? [] : [...(await source.gaps(reading.from, reading.to))];
    const waiting = gaps.sort((one, other) => one.from - other.from);
    for await (const points of pointsOf(source, reading, undefined)) yield { source, rows: merged(points, waiting) };
    if (waiting.length > 0) yield { source, rows: waiting.map(rowOf) };
  }
}

/**
 * Merges the points with the gaps that begin before the last point, and removes these from `waiting`. A point at the start of a gap
 * comes before the gap: its value was still known.
 */
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
