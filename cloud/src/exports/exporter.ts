/** An exporter produces one file of an export: its name, its description, the tables that it covers, and its rows, read page by page. */
import { formatTime } from "@porchlight/shared/api";
import { nextTurn } from "@porchlight/shared/kernel";
import type { AccountCaller } from "../access/index.ts";
import type { Store, Tables, TenantReader } from "../store/index.ts";

/** The account that is exported. */
export interface ExportedAccount {
  /** The account as a caller of the API's lists, with its living ecosystems. */
  readonly caller: AccountCaller;
  readonly accountId: string;
  /** All ecosystems, including deleted ones, of which some records are still kept. */
  readonly ecosystemIds: readonly string[];
}

export interface Exporter {
  /** File name, without an extension. */
  readonly name: string;
  /** Description for people: sentences of README.txt. */
  readonly about: string;
  /** The tables whose rows the file contains. */
  readonly tables: readonly (keyof Tables)[];
  /** An object, or a JSON text, for each line. @throws "Service Unavailable" */
  rows(of: ExportedAccount): AsyncIterable<object | string>;
}

type Rows = Exporter["rows"];

/** Rows read at once: with 64 KiB of metadata each they take 4 MiB. */
export const EXPORT_PAGE = 64;

/**
 * All rows of a list, in the order of their keys.
 * @param read returns up to {@link EXPORT_PAGE} rows after a key, or more to end with whole objects; starts with `first`
 */
export async function* paged<R, K>(
  first: K,
  read: (after: K) => Promise<readonly R[]>,
  keyOf: (row: R) => K,
): AsyncGenerator<R> {
  for (let after = first; ; await nextTurn()) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORT_PAGE) return;
    after = keyOf(last);
  }
}

/** Rows of a list of the API. @param list returns a page of up to {@link EXPORT_PAGE} objects after an ID */
export function listed<R extends { readonly id: string }>(
  list: (caller: AccountCaller, after: string) => Promise<readonly R[]>,
  show: (row: R) => object,
): Rows {
  return async function* ({ caller }) {
    const rows = paged(
      "",
      (after) => list(caller, after),
      ({ id }) => id,
    );
    for await (const row of rows) yield show(row);
  };
}

/** Rows of each ecosystem, including deleted ones. */
export function ofEach(rows: (ecosystemId: string) => AsyncIterable<object | string>): Rows {
  return async function* ({ ecosystemIds }) {
    for (const ecosystemId of ecosystemIds) yield* rows(ecosystemId);
  };
}

/** Rows of a table, for each ecosystem. See {@link paged}. */
export function stored<R, K>(
  store: Store,
  page: {
    readonly first: K;
    readonly read: (reader: TenantReader, after: K) => Promise<readonly R[]>;
    readonly keyOf: (row: R) => K;
  },
  show: (row: R, ecosystemId: string) => object,
): Rows {
  return ofEach(async function* (ecosystemId) {
    const reader = store.of(ecosystemId);
    for await (const row of paged(page.first, (after) => page.read(reader, after), page.keyOf))
      yield show(row, ecosystemId);
  });
}

/** A page of a table whose rows have an ID. */
export function byId<R extends { readonly id: string }>(
  read: (reader: TenantReader, after: string) => Promise<readonly R[]>,
) {
  return { first: "", read, keyOf: ({ id }: R) => id };
}

/** A field with the time, or no field for null. @param at wall clock, ms */
export function timeOf(name: string, at: number | null): object {
  return at === null ? {} : { [name]: formatTime(at) };
}
