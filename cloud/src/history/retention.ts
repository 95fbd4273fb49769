/** Deletes history older than the ecosystem's retention, and all of deleted devices: in small jobs, every hour. */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import { type BatchLoop, type Store, statement, type Transaction } from "../store/index.ts";
import type { HistoryChoice } from "./recording-rows.ts";
import { goneSeries, type KeptSeries, type Partitions, seriesAfter, type TimedTable } from "./service-queries.ts";

interface RetentionDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly partitions: Partitions | undefined;
  readonly isChosen: () => boolean;
  readonly byDefault: HistoryChoice;
  readonly most: Omit<HistoryChoice, "enabled">;
}

const DAY = 86_400_000;
const EVERY = 3_600_000;
/** Series read at once, and rows deleted in one job. */
const SERIES = 200;
const ROWS = 1_000;
/** The column of each table that dates its rows. */
const DATED: Readonly<Record<TimedTable, "at" | "start">> = {
  history_points: "at",
  history_five_minutes: "start",
  history_hours: "start",
};
const TABLES = Object.keys(DATED) as TimedTable[];

export class HistoryRetention implements AsyncDisposable {
  readonly #deps: RetentionDeps;
  readonly #timer: Timer;
  readonly #rounds = new Rounds(() => this.#round());

  private constructor(deps: RetentionDeps) {
    this.#deps = deps;
    this.#timer = every(deps.clock, "sweep history", EVERY, () => void this.sweep());
  }

  static start(deps: RetentionDeps): HistoryRetention {
    return new HistoryRetention(deps);
  }

  /** Resolves when all expired rows are deleted, or the store refuses; the next sweep continues. */
  sweep(): Promise<void> {
    return this.#rounds.ask();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#rounds.end();
  }

  async #round(): Promise<void> {
    const { isChosen, log } = this.#deps;
    if (!isChosen()) return;
    try {
      await this.#dropPartitions();
      await this.#dropOld();
      await this.#dropGone();
    } catch (error) {
      if (!this.#rounds.ended) log.warn({ error }, "old history could not be deleted; it is tried again");
    }
  }

  /** Drops partitions, on PostgreSQL, that are older than any ecosystem's retention. */
  async #dropPartitions(): Promise<void> {
    const { store, clock, partitions, most } = this.#deps;
    if (!partitions) return;
    const now = clock.now();
    const drop = (table: TimedTable) => {
      const days = table === "history_points" ? most.rawDays : most.statisticsDays;
      return store.writeService((tx) => partitions.drop(tx, table, now - days * DAY));
    };
    await store.setAside.each(TABLES, {
      ...this.#loop((table: TimedTable) => ({ table })),
      work: async (tables) => {
        for (const table of tables) await drop(table);
      },
    });
  }

  #loop<T>(about: BatchLoop<T>["about"]): BatchLoop<T> {
    return { loop: "history_retention", log: this.#deps.log, about };
  }

  /** Deletes rows older than the ecosystem's retention. */
  async #dropOld(): Promise<void> {
    const { store, clock, byDefault, most } = this.#deps;
    const now = clock.now();
    const dropOf = async ({ series, rawDays, statisticsDays, oldest }: KeptSeries) => {
      const points = now - DAY * Math.min(rawDays ?? byDefault.rawDays, most.rawDays);
      const steps = now - DAY * Math.min(statisticsDays ?? byDefault.statisticsDays, most.statisticsDays);
      for (const table of TABLES) {
        const before = table === "history_points" ? points : steps;
        if (oldest[table] < before) await dropRows(store, table, series, before, () => this.#rounds.ended);
      }
    };
    for (let after = 0; !this.#rounds.ended; ) {
      const some = await seriesAfter(store, after, SERIES);
      await store.setAside.each(some, {
        ...this.#loop(({ series }: KeptSeries) => ({ series })),
        work: async (part) => {
          for (const each of part) await dropOf(each);
        },
      });
      const last = some.at(-1);
      if (!last) return;
      after = last.series;
    }
  }

  async #dropGone(): Promise<void> {
    const { store } = this.#deps;
    const isEnded = () => this.#rounds.ended;
    for (let after = 0; !isEnded(); ) {
      const gone = await goneSeries(store, after, SERIES);
      const last = gone.at(-1);
      if (last === undefined) return;
      await store.setAside.each(gone, {
        ...this.#loop((series: number) => ({ series })),
        work: (part) => dropSeries(store, part, isEnded),
      });
      after = last;
    }
  }
}

/** Deletes the history of deleted devices; stops at the first series that cannot be deleted. @throws "Service Unavailable" */
async function dropGone(store: Store): Promise<void> {
  const gone = () => goneSeries(store, 0, SERIES);
  for (let some = await gone(); some.length > 0; some = await gone()) await dropSeries(store, some, () => false);
}

async function dropSeries(store: Store, gone: readonly number[], isEnded: () => boolean): Promise<void> {
  for (const series of gone)
    for (const table of TABLES) await dropRows(store, table, series, Number.MAX_SAFE_INTEGER, isEnded);
  if (isEnded()) return;
  await store.writeService((tx) => tx.change(tx.build.deleteFrom("history_series").where("series", "in", gone)));
}

async function dropRows(store: Store, table: TimedTable, series: number, before: number, isEnded: () => boolean) {
  while (!isEnded() && (await store.writeService((tx) => dropSome(tx, table, series, before))) >= ROWS);
}

/** Deletes some rows of a series. @returns the number of deleted rows */
function dropSome(tx: Transaction, table: TimedTable, series: number, before: number): Promise<number> {
  const [from, at] = [sql.table(table), sql.ref(DATED[table])];
  const some = sql`select ${at} from ${from} where series = ${series} and ${at} < ${before} order by ${at} limit ${sql.lit(ROWS)}`;
  const drop = sql`delete from ${from} where series = ${series} and ${at} in (${some})`;
  return tx.change({ compile: () => drop.compile(tx.build) });
}

const retireAll = statement<{ eco: string }>("history_gone_with_ecosystem")((db, p) =>
  db.updateTable("history_series").set({ gone: 1 }).where("ecosystem_id", "=", p.eco),
);

/** Erases all history of an ecosystem, after its devices and events. @throws "Service Unavailable" */
export async function eraseHistory(store: Store, eco: string): Promise<void> {
  await store.writeService((tx) => tx.run(retireAll, { eco }));
  await dropGone(store);
}
