/** Deletes what is kept for longer than an ecosystem wants, and all of a device that is gone: in small jobs, every hour. */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import type { Store, Transaction } from "../store/index.ts";
import type { Partitions, TimedTable } from "./rows/partitions.ts";
import { goneSeries, seriesAfter } from "./rows/service-queries.ts";
import type { HistoryChoice } from "./rows/settings-rows.ts";

export interface RetentionDeps {
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
/** Series of one look, and rows of one job. */
const SERIES = 200;
const ROWS = 1_000;
/** The column of each table that its rows are dated by. */
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

  /** Settles when all that is too old has gone, or the store does not take it: the next sweep goes on. */
  sweep(): Promise<void> {
    return this.#rounds.ask();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#rounds.end();
  }

  async #round(): Promise<void> {
    const { store, isChosen, log } = this.#deps;
    if (!isChosen()) return;
    try {
      await this.#dropPartitions();
      await this.#dropOld();
      await dropGone(store, () => this.#rounds.ended);
    } catch (error) {
      if (!this.#rounds.ended) log.warn({ error }, "old history could not be deleted; it is tried again");
    }
  }

  /** On PostgreSQL: whole times that no ecosystem may keep. */
  async #dropPartitions(): Promise<void> {
    const { store, clock, partitions, most } = this.#deps;
    if (!partitions) return;
    const now = clock.now();
    for (const table of TABLES) {
      const days = table === "history_points" ? most.rawDays : most.statisticsDays;
      await store.writeService((tx) => partitions.drop(tx, table, now - days * DAY));
    }
  }

  /** Of each series what its ecosystem does not want any more. */
  async #dropOld(): Promise<void> {
    const { store, clock, byDefault, most } = this.#deps;
    const now = clock.now();
    for (let after = 0; !this.#rounds.ended; ) {
      const some = await seriesAfter(store, after, SERIES);
      for (const { series, rawDays, statisticsDays, oldest } of some) {
        const points = now - DAY * Math.min(rawDays ?? byDefault.rawDays, most.rawDays);
        const steps = now - DAY * Math.min(statisticsDays ?? byDefault.statisticsDays, most.statisticsDays);
        for (const table of TABLES) {
          const before = table === "history_points" ? points : steps;
          if (oldest[table] < before) await dropRows(store, table, series, before, () => this.#rounds.ended);
        }
      }
      const last = some.at(-1);
      if (!last) return;
      after = last.series;
    }
  }
}

/** Deletes what is kept of devices that are gone. @throws "Service Unavailable" */
export async function dropGone(store: Store, isEnded: () => boolean = () => false): Promise<void> {
  for (
    let gone = await goneSeries(store, SERIES);
    gone.length > 0 && !isEnded();
    gone = await goneSeries(store, SERIES)
  ) {
    for (const series of gone)
      for (const table of TABLES) await dropRows(store, table, series, Number.MAX_SAFE_INTEGER, isEnded);
    if (isEnded()) return;
    await store.writeService((tx) => tx.change(tx.build.deleteFrom("history_series").where("series", "in", gone)));
  }
}

async function dropRows(store: Store, table: TimedTable, series: number, before: number, isEnded: () => boolean) {
  while (!isEnded() && (await store.writeService((tx) => dropSome(tx, table, series, before))) >= ROWS);
}

/** @returns how many */
function dropSome(tx: Transaction, table: TimedTable, series: number, before: number): Promise<number> {
  const [from, at] = [sql.table(table), sql.ref(DATED[table])];
  const some = sql`select ${at} from ${from} where series = ${series} and ${at} < ${before} order by ${at} limit ${sql.lit(ROWS)}`;
  const drop = sql`delete from ${from} where series = ${series} and ${at} in (${some})`;
  return tx.change({ compile: () => drop.compile(tx.build) });
}
