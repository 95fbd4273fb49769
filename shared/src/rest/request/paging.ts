/** What every collection takes in its query string, and what it may say (A1.6). */
// Not by its index: a hub has pages at home, and nothing else of the schemas of the API.
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../../api/index.ts";
import { NamedError } from "../../kernel/index.ts";

/** Query parameters of every collection. */
export const PAGING = ["pageSize", "continuationToken"] as const;

/** Bytes after which a page ends, whatever its `pageSize`: its first object may have more. */
export const PAGE_BYTES = 1024 * 1024;

/** @param text `pageSize` @throws "Page Size Invalid" */
export function readPageSize(text: string | undefined): number {
  const size = text === undefined ? DEFAULT_PAGE_SIZE : /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0;
  if (size < 1 || size > MAX_PAGE_SIZE) throw new NamedError("Page Size Invalid");
  return size;
}
