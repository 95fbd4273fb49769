/** What one file of an export is: its name, what it holds, the tables that it tells of, and its rows, read page by page. */
import { nextTurn } from "@porchlight/shared/kernel";
import type { AccountCaller } from "../../access/index.ts";
import type { Tables } from "../../store/index.ts";

/** Whose data it is. */
export interface ExportedAccount {
  /** The account as lists of the API know a caller: its living ecosystems. */
  readonly caller: AccountCaller;
  readonly accountId: string;
  /** Also those that are deleted: some of their records are still kept. */
  readonly ecosystemIds: readonly string[];
}

export interface Exporter {
  /** Of its file, without an ending. */
  readonly name: string;
  /** What is in it, for a person: sentences of README.txt. */
  readonly about: string;
  /** The tables that it tells of. */
  readonly tables: readonly (keyof Tables)[];
  /** An object, or one that is JSON already, for each line. @throws "Service Unavailable" */
  rows(of: ExportedAccount): AsyncIterable<object | string>;
}

/** Rows read at once: with 64 KiB of metadata each they have 4 MiB. */
export const EXPORT_PAGE = 64;

/**
 * All rows of a list, oldest first.
 * @param read up to {@link EXPORT_PAGE} rows after the one with that key; "" at the start
 */
export async function* paged<R>(
  read: (after: string) => Promise<readonly R[]>,
  keyOf: (row: R) => string,
): AsyncGenerator<R> {
  for (let after = ""; ; await nextTurn()) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORT_PAGE) return;
    after = keyOf(last);
  }
}
