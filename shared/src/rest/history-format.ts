/** The format of a history answer (A11): chosen by `accept`, because history is one resource in every format. */
import { NamedError } from "../kernel/index.ts";
import { PAGING } from "./request/paging.ts";

export type HistoryFormat = "json" | "csv" | "ndjson";

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
