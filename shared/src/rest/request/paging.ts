/** Query parameters of every collection and their valid values (A1.6). */
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../../api/index.ts";
import { NamedError } from "../../kernel/index.ts";

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
