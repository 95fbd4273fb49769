/** History's queries across tenants: unrecorded logs and how far they are behind, settings, and history to delete. */

import { type RawBuilder, sql } from "kysely";
import { type HistoryValueTables, one, type Sql, type Store, statement, type Transaction } from "../store/index.ts";

const selectBehind = statement<{ after: string; limit: number }>("history_behind")((db, p) =>
  db
    .selectFrom("counters as c")
    .leftJoin("history_positions as p", "p.ecosystem_id", "c.ecosystem_id")
    .select("c.ecosystem_id")
    .where("c.ecosystem_id", ">", p.after)
    .where((of) =>
      of.or([of("p.sequence", "is", null).and("c.sequence", ">", 0), of("p.sequence", "<", of.ref("c.sequence"))]),
    )
    .orderBy("c.ecosystem_id")
    .limit(p.limit),
);
const selectLag = statement("history_lag")((db) =>
  db
    .selectFrom("counters as c")
    .leftJoin("history_positions as p", "p.ecosystem_id", "c.ecosystem_id")
    .select((of) => of.fn.max(of("c.sequence", "-", of.fn.coalesce("p.sequence", of.lit(0)))).as("lag")),
);
/** For each log that is behind, when its next event was stored: one lookup by key for each. */
const selectOldest = statement("history_oldest_unrecorded")((db) =>
  db
    .selectFrom("counters as c")
    .leftJoin("history_positions as p", "p.ecosystem_id", "c.ecosystem_id")
    .innerJoin("events as e", (join) =>
      join
        .onRef("e.ecosystem_id", "=", "c.ecosystem_id")
        .on((of) => of("e.sequence", "=", of(of.fn.coalesce("p.sequence", of.lit(0)), "+", of.lit(1)))),
    )
    .where((of) => of("c.sequence", ">", of.fn.coalesce("p.sequence", of.lit(0))))
    .select((of) => of.fn.min("e.created_at").as("at")),
);
const selectSeries = statement<{ after: number; limit: number }>("history_series_after")((db, p) =>
  db
    .selectFrom("history_series as s")
    .leftJoin("history_settings as h", "h.ecosystem_id", "s.ecosystem_id")
    .select(["s.series", "h.raw_days", "h.statistics_days"])
    // Each is one lookup at the beginning of an index range.
    .select((of) => [
      of
        .selectFrom("history_points as v")
        .select((v) => v.fn.min("v.at").as("at"))
        .whereRef("v.series", "=", "s.series")
        .as("point"),
      of
        .selectFrom("history_five_minutes as v")
        .select((v) => v.fn.min("v.start").as("at"))
        .whereRef("v.series", "=", "s.series")
        .as("five"),
      of
        .selectFrom("history_hours as v")
        .select((v) => v.fn.min("v.start").as("at"))
        .whereRef("v.series", "=", "s.series")
        .as("hour"),
    ])
    .where("s.series", ">", p.after)
    .orderBy("s.series")
    .limit(p.limit),
);
const selectGone = statement<{ after: number; limit: number }>("history_gone_series")((db, p) =>
  db
    .selectFrom("history_series")
    .select("series")
    .where("gone", "=", 1)
    .where("series", ">", p.after)
    .orderBy("series")
    .limit(p.limit),
);

/** Ecosystems with unrecorded events. @param after "" is before the first */
export async function ecosystemsBehind(store: Store, after: string, limit: number): Promise<string[]> {
  return (await store.service.all(selectBehind, { after, limit })).map(({ ecosystem_id }) => ecosystem_id);
}

export interface Behind {
  /** Unrecorded events of the ecosystem furthest behind. */
  readonly events: number;
  /** When the oldest of all unrecorded events was stored, wall clock, ms; undefined when all are recorded. */
  readonly since: number | undefined;
}

export async function mostBehind(store: Store): Promise<Behind> {
  const [lag, oldest] = await Promise.all([
    one(store.service.all(selectLag, {})),
    one(store.service.all(selectOldest, {})),
  ]);
  const at = oldest?.at;
  return {
    events: Math.max(0, Number(lag?.lag ?? 0)),
    since: at === undefined || at === null ? undefined : Number(at),
  };
}

export interface KeptSeries {
  readonly series: number;
  readonly rawDays: number | undefined;
  readonly statisticsDays: number | undefined;
  /** Time of the oldest row of each table, wall clock, ms; infinite where there is none. */
  readonly oldest: Readonly<Record<TimedTable, number>>;
}

/** All series, in the order of their numbers, with the settings of their ecosystems. */
export async function seriesAfter(store: Store, after: number, limit: number): Promise<KeptSeries[]> {
  return (await store.service.all(selectSeries, { after, limit })).map((row) => ({
    series: Number(row.series),
    rawDays: row.raw_days ?? undefined,
    statisticsDays: row.statistics_days ?? undefined,
    oldest: {
      history_points: row.point ?? Number.POSITIVE_INFINITY,
      history_five_minutes: row.five ?? Number.POSITIVE_INFINITY,
      history_hours: row.hour ?? Number.POSITIVE_INFINITY,
    },
  }));
}

/** Series of deleted devices, in the order of their numbers. */
export async function goneSeries(store: Store, after: number, limit: number): Promise<number[]> {
  return (await store.service.all(selectGone, { after, limit })).map(({ series }) => Number(series));
}

/**
 * The tables that grow with time. On PostgreSQL they are partitioned: a partition is created with the first row of its time, and
 * dropped whole when all of it has expired. SQLite has no partitions.
 */
export type TimedTable = keyof HistoryValueTables;

const DAY = 86_400_000;

/** Span of one partition, ms: each table has some tens of them. */
const PARTITION_MS: Readonly<Record<TimedTable, number>> = {
  history_points: DAY,
  history_five_minutes: 30 * DAY,
  history_hours: 120 * DAY,
};

export class Partitions {
  /** Partitions that exist, as far as this process has seen. */
  readonly #known = new Set<string>();

  /** Creates the partitions for rows of these times, in the job that writes the rows. */
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

  /** Drops the partitions that end before a time. @returns how many */
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
