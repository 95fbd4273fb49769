/**
 * The partitions of the tables that grow with time, on PostgreSQL: made when the first row of their time is written, and dropped whole
 * when all of it is too old. SQLite has none.
 */
import { type RawBuilder, sql } from "kysely";
import type { HistoryValueTables, Sql, Transaction } from "../../store/index.ts";

export type TimedTable = keyof HistoryValueTables;

const DAY = 86_400_000;

/** Time of one partition, ms: each table has some tens of them. */
const PARTITION_MS: Readonly<Record<TimedTable, number>> = {
  history_points: DAY,
  history_five_minutes: 30 * DAY,
  history_hours: 120 * DAY,
};

export class Partitions {
  /** Those that are there, as far as this process has seen. */
  readonly #known = new Set<string>();

  /** Makes those that rows of these times need, in the job that writes the rows. */
  async make(tx: Transaction, table: TimedTable, times: Iterable<number>): Promise<void> {
    const needed = new Set([...times].map((at) => Math.floor(at / PARTITION_MS[table])));
    for (const number of needed) {
      const name = `${table}_${number}`;
      if (this.#known.has(name)) continue;
      const [from, to] = [number, number + 1].map((bound) => sql.lit(bound * PARTITION_MS[table]));
      const made = sql`create table if not exists ${sql.table(name)} partition of ${sql.table(table)} for values from (${from}) to (${to})`;
      await change(tx, made);
      tx.afterCommit(() => void this.#known.add(name));
    }
  }

  /** Drops those whose time ends before a moment. @returns how many */
  async drop(tx: Transaction, table: TimedTable, before: number): Promise<number> {
    const named = await partitionsOf(tx, table);
    const old = named.filter(({ number }) => (number + 1) * PARTITION_MS[table] <= before);
    for (const { name } of old) {
      await change(tx, sql`drop table if exists ${sql.table(name)}`);
      tx.afterCommit(() => void this.#known.delete(name));
    }
    return old.length;
  }
}

async function partitionsOf(db: Sql, table: TimedTable): Promise<{ name: string; number: number }[]> {
  const asked = sql<{ name: string }>`select c.relname as name from pg_inherits i
    join pg_class c on c.oid = i.inhrelid where i.inhparent = ${table}::regclass`;
  const rows = await db.query({ compile: () => asked.compile(db.build) });
  return rows.map(({ name }) => ({ name, number: Number(name.slice(table.length + 1)) }));
}

function change(tx: Transaction, text: RawBuilder<unknown>): Promise<number> {
  return tx.change({ compile: () => text.compile(tx.build) });
}
