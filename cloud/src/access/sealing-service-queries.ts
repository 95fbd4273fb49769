/** The queries about sealing across tenants: which keys there are, and what each column has sealed. */

import { sql } from "kysely";
import { type SealingKeyRow, type Statement, type Store, statement, type Tables } from "../store/index.ts";

export const sealingKeys = statement<Record<never, never>>("sealing_keys")((db) =>
  db.selectFrom("sealing_keys").selectAll(),
);

/** A slice of a sealed column, over all tenants. */
export function sealedSlice(store: Store, column: SealedColumn, place: Place, limit: number): Promise<SealedRow[]> {
  const [first, second] = place;
  return store.service.all(column.slice, { first, second, limit });
}

/** The keys that have sealed something in this database. */
export function knownSealingKeys(store: Store): Promise<SealingKeyRow[]> {
  return store.service.all(sealingKeys, {});
}

/** Key of a row in its table; the second part is "" when the key is a single column. */
export type Place = readonly [first: string, second: string];

export interface SealedRow {
  readonly first: string;
  readonly second: string;
  readonly sealed: string | null;
}

export interface SealedColumn {
  readonly table: keyof Tables;
  /** Rows after a place, in the order of their keys. */
  readonly slice: Statement<{ first: string; second: string; limit: number }, SealedRow>;
  /** Writes `fresh` where `sealed` still stands. */
  readonly replace: Statement<{ first: string; second: string; sealed: string; fresh: string }, unknown>;
  /** The purpose that the text of a row is sealed for. */
  purpose(first: string, second: string): string;
  /** Whether the first part of the key is the ecosystem in whose queue the row is written. */
  readonly isTenants: boolean;
}

interface ColumnFacts {
  readonly table: keyof Tables;
  readonly column: string;
  /** The primary key. */
  readonly key: readonly [string] | readonly [string, string];
  readonly purpose: SealedColumn["purpose"];
  readonly isTenants?: boolean;
}

/** Describes a column of sealed texts. Each module declares its own columns, so that resealing depends on no module. */
export function sealedColumn({ table, column, key, purpose, isTenants = false }: ColumnFacts): SealedColumn {
  const [one, two] = key;
  const [first, second] = [sql.ref(one), two === undefined ? sql.lit("") : sql.ref(two)];
  const [rows, text] = [sql.table(table), sql.ref(column)];
  const own = sql.join(key.map((name) => sql.ref(name)));
  return {
    table,
    purpose,
    isTenants,
    slice: statement<{ first: string; second: string; limit: number }>(`sealed_of_${table}`)((db, p) => {
      const place = two === undefined ? sql`${p.first}` : sql`(${p.first}, ${p.second})`;
      return {
        compile: () =>
          sql<SealedRow>`select ${first} as first, ${second} as second, ${text} as sealed from ${rows}
            where (${own}) > ${place} order by ${own} limit ${p.limit}`.compile(db),
      };
    }),
    replace: statement<{ first: string; second: string; sealed: string; fresh: string }>(`seal_anew_${table}`)(
      (db, p) => {
        const isSecond = two === undefined ? sql`` : sql`and ${second} = ${p.second}`;
        return {
          compile: () =>
            sql`update ${rows} set ${text} = ${p.fresh} where ${first} = ${p.first} ${isSecond} and ${text} = ${p.sealed}`.compile(
              db,
            ),
        };
      },
    ),
  };
}

/** The sealed columns of this module: server tokens, and the steps and answers under idempotency keys. */
export const SEALED_ACCESS: readonly SealedColumn[] = [
  sealedColumn({ table: "tokens", column: "sealed", key: ["id"], purpose: (id) => id }),
  sealedColumn({ table: "idempotency_keys", column: "answer", key: ["hash"], purpose: (hash) => hash }),
  sealedColumn({
    table: "idempotency_steps",
    column: "value",
    key: ["hash", "step"],
    purpose: (hash, step) => `${hash} ${step}`,
  }),
];
