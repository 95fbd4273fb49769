/**
 * Parses a request for history: its query string and its `accept` (A11). Its own file because the texts of its errors belong to the
 * contract.
 */
import {
  HISTORY_AGGREGATES,
  HISTORY_RESOLUTIONS,
  type HistoryAggregate,
  type HistoryResolution,
  isTimeZone,
  MAX_HISTORY_POINTS,
} from "../api/index.ts";
import { resolutionFor } from "../history/index.ts";
import { NamedError, parseTime } from "../kernel/index.ts";
import { PAGING } from "./request/query.ts";

/** Query parameters of every history route. */
export const HISTORY_QUERY = ["from", "to", "resolution", "aggregate", "timeZone", ...PAGING] as const;

export interface HistoryAsked {
  /** Wall clock, ms, as requested: `from` is inclusive, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  readonly resolution: HistoryResolution;
  /** Undefined: every aggregate that the kind of the series has. */
  readonly aggregates: ReadonlySet<HistoryAggregate> | undefined;
  /** Time zone of the steps of a day or a month. */
  readonly timeZone: string;
}

interface HistoryDefaults {
  /** For how long each change is kept, ms. */
  readonly rawFor: number;
}

type Query = Readonly<Record<string, string | undefined>>;

const DAY = 86_400_000;
const RESOLUTIONS: readonly string[] = HISTORY_RESOLUTIONS;
const AGGREGATES: readonly string[] = HISTORY_AGGREGATES;

/** @param now wall clock, ms @throws "Query Parameter Invalid" */
export function readHistoryQuery(query: Query, now: number, { rawFor }: HistoryDefaults): HistoryAsked {
  // The default end is the end of the current second, so that the newest change is included.
  const to = readTime("to", query.to) ?? (Math.floor(now / 1000) + 1) * 1000;
  const from = readTime("from", query.from) ?? Math.max(0, to - DAY);
  if (from >= to) throw invalid("`from` must be earlier than `to`.");
  const aggregates = readAggregates(query.aggregate);
  const timeZone = readTimeZone(query.timeZone);
  const resolution = readResolution(query.resolution) ?? chosen(resolutionFor(from, to, now, rawFor), aggregates);
  if (resolution === "raw" && aggregates)
    throw invalid("`aggregate` says what a step tells: there are no steps with `resolution=raw`.");
  return { from, to, resolution, aggregates, timeZone };
}

/** Number of points of a page. @throws "Page Size Invalid" */
export function readHistoryPageSize(text: string | undefined): number {
  if (text === undefined) return MAX_HISTORY_POINTS;
  const size = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0;
  if (size < 1 || size > MAX_HISTORY_POINTS)
    throw new NamedError("Page Size Invalid", `\`pageSize\` must be a whole number from 1 to ${MAX_HISTORY_POINTS}.`);
  return size;
}

/** The resolution to use: a request that names aggregates of steps and no resolution gets steps, not `raw`. */
function chosen(resolution: HistoryResolution, aggregates: HistoryAsked["aggregates"]): HistoryResolution {
  return resolution === "raw" && aggregates ? "5m" : resolution;
}

function readTime(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = parseTime(text);
  if (time === undefined) throw invalid(`\`${name}\` must be a time such as 2026-11-05 14:03:07Z.`);
  return time;
}

function readResolution(text: string | undefined): HistoryResolution | undefined {
  if (text === undefined || isResolution(text)) return text;
  throw invalid(`\`resolution\` must be one of ${HISTORY_RESOLUTIONS.join(", ")}.`);
}

function readAggregates(text: string | undefined): ReadonlySet<HistoryAggregate> | undefined {
  if (text === undefined) return undefined;
  const names = text.split(",");
  if (!names.every(isAggregate))
    throw invalid(`\`aggregate\` must be one or more of ${HISTORY_AGGREGATES.join(", ")}, separated by commas.`);
  return new Set(names);
}

function readTimeZone(text: string | undefined): string {
  if (text === undefined) return "UTC";
  if (!isTimeZone(text)) throw invalid("`timeZone` must be a name of the IANA database such as Europe/Berlin.");
  return text;
}

function isResolution(text: string): text is HistoryResolution {
  return RESOLUTIONS.includes(text);
}

function isAggregate(text: string): text is HistoryAggregate {
  return AGGREGATES.includes(text);
}

function invalid(detail: string): NamedError {
  return new NamedError("Query Parameter Invalid", detail);
}

type HistoryFormat = "json" | "csv" | "ndjson";

/** `content-type` of the formats without pages. */
export const HISTORY_MEDIA: Readonly<Record<Exclude<HistoryFormat, "json">, string>> = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson",
};

const FORMATS: ReadonlyMap<string, HistoryFormat> = new Map([
  ["text/csv", "csv"],
  ["application/x-ndjson", "ndjson"],
  ["application/json", "json"],
  ["application/*", "json"],
  ["*/*", "json"],
]);

/**
 * The preferred format of those that exist, the first among equals; JSON when the header names none of them, as everywhere in the API.
 * @throws "Query Parameter Invalid" for a format without pages together with a paging parameter
 */
export function readHistoryFormat(accept: string | undefined, query: Readonly<Record<string, unknown>>): HistoryFormat {
  const format = best(accept ?? "");
  const paged = PAGING.find((name) => query[name] !== undefined);
  if (format !== "json" && paged !== undefined)
    throw new NamedError("Query Parameter Invalid", `\`${paged}\` goes with JSON: CSV and NDJSON have no pages.`);
  return format;
}

function best(accept: string): HistoryFormat {
  let found: { readonly format: HistoryFormat; readonly weight: number } | undefined;
  for (const range of accept.split(",")) {
    const [media = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const format = FORMATS.get(media);
    const weight = Number(parameters.find((each) => each.startsWith("q="))?.slice(2) ?? 1);
    if (format && weight > (found?.weight ?? 0)) found = { format, weight };
  }
  return found?.format ?? "json";
}
