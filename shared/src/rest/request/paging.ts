/** What every collection takes in its query string, and what it may say (A1.6). */
// Not by its index: a hub has pages at home, and nothing else of the schemas of the API.
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../../api/index.ts";
import { NamedError } from "../../kernel/index.ts";

/** Query parameters of every collection. */
export const PAGING = ["pageSize", "continuationToken"] as const;

/** Bytes after which a page ends, whatever its `pageSize`: its first object may have more. */
export const PAGE_BYTES = 1024 * 1024;

/** Rows that are read together: at first, at most, and for about so many bytes of a page. */
const ROWS_OF_PART = { first: 2, most: 64, bytes: 128 * 1024 };

/**
 * How many rows of a page to read next, by the mean of those that it has: about as many as fit, and no more than a part may have.
 * @param free bytes that the page has room for @param had the items of the page so far and their bytes
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
