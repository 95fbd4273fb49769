/**
 * Query strings: a route accepts only the parameters that it lists, each at most once (A1.0.5); every collection has those of its pages
 * (A1.6).
 */

import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../../api/index.ts";
import { NamedError } from "../../kernel/index.ts";
import { isStorable } from "../../model/index.ts";

/** @throws "No Query String Allowed", "Query Parameter Invalid" */
export function checkQuery(query: unknown, listed: readonly string[]): void {
  if (typeof query !== "object" || query === null) return;
  for (const name in query) {
    if (!listed.includes(name))
      throw new NamedError(
        "No Query String Allowed",
        listed.length === 0
          ? "This route takes no query string."
          : `This route takes no query parameter \`${name}\`; it takes ${listed.join(", ")}.`,
      );
  }
  for (const name of listed) {
    const value: unknown = Reflect.get(query, name);
    if (Array.isArray(value)) throw new NamedError("Query Parameter Invalid", `\`${name}\` is given more than once.`);
    if (typeof value === "string" && !isStorable(value))
      throw new NamedError("Query Parameter Invalid", `\`${name}\` has U+0000 or a lone surrogate.`);
  }
}

/** A parameter that is `true` or `false`; undefined when it is absent. @throws "Query Parameter Invalid" */
export function readBoolean(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text === "true" || text === "false") return text === "true";
  throw new NamedError("Query Parameter Invalid", `\`${name}\` must be \`true\` or \`false\`.`);
}

/** Query parameters of every collection. */
export const PAGING = ["pageSize", "continuationToken"] as const;

/** Bytes after which a page ends, even below its `pageSize`; its first object may be larger. */
export const PAGE_BYTES = 1024 * 1024;

/** Rows to read together: at first, at most, and the bytes of a page that one read aims at. */
const ROWS_OF_PART = { first: 2, most: 64, bytes: 128 * 1024 };

/**
 * Number of rows to read next, from the mean size of the rows so far: as many as are likely to fit, within the limits of one read.
 * @param free bytes left in the page @param had items of the page so far and their bytes
 */
export function rowsOfPart(free: number, had: { readonly count: number; readonly bytes: number }): number {
  if (had.count === 0) return ROWS_OF_PART.first;
  const wanted = Math.ceil((Math.min(free, ROWS_OF_PART.bytes) * had.count) / had.bytes);
  return Math.min(Math.max(wanted, 1), ROWS_OF_PART.most);
}

/** @param text `pageSize` @throws "Page Size Invalid" */
export function readPageSize(text: string | undefined): number {
  const size = text === undefined ? DEFAULT_PAGE_SIZE : /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0;
  if (size < 1 || size > MAX_PAGE_SIZE) throw new NamedError("Page Size Invalid");
  return size;
}
