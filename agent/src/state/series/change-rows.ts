/**
 * What properties changed to, in two tables of one form. Changes of the hour that is open of a series are in a small one, in which those
 * of many properties stand on few pages: a commit writes whole pages, and would else write one for each property that it tells of. When
 * the hour is complete they move to the large one, in which those of one property stand together.
 *
 * Invariant: of a series, everything in the small table comes after everything in the large one.
 */
import type { Statement } from "better-sqlite3";
import type { Db } from "../database/database.ts";

export interface ChangeRow {
  /** Wall clock, ms, whole. */
  readonly at: number;
  readonly number: number;
  /** JSON. */
  readonly value: string;
}

type Place = Omit<ChangeRow, "value">;

/** In one of the two tables. */
class Table {
  readonly insert: Statement<[number, number, number, string]>;
  readonly select: Statement<[number, number, number, number, number, number], ChangeRow>;
  readonly lastBefore: Statement<[number, number], ChangeRow>;
  readonly firstAt: Statement<[number], number>;
  readonly deleteAfter: Statement<[number, number]>;

  constructor(db: Db, table: "history_changes" | "history_recent") {
    this.insert = db.prepare(`INSERT INTO ${table} VALUES (?, ?, ?, ?)`);
    this.select = db.prepare(
      `SELECT at, number, value FROM ${table}
       WHERE series = +? AND at >= +? AND at < +? AND (at, number) > (+?, +?) ORDER BY at, number LIMIT +?`,
    );
    this.lastBefore = db.prepare(
      `SELECT at, number, value FROM ${table}
       WHERE series = +? AND at < +? ORDER BY at DESC, number DESC LIMIT 1`,
    );
    this.firstAt = db
      .prepare<[number], number>(`SELECT at FROM ${table} WHERE series = +? ORDER BY at LIMIT 1`)
      .pluck();
    this.deleteAfter = db.prepare(`DELETE FROM ${table} WHERE series = +? AND at > +?`);
  }
}

export class ChangeRows {
  readonly #settled: Table;
  readonly #recent: Table;
  readonly #copy: Statement<[number]>;
  readonly #clear: Statement<[number]>;

  constructor(db: Db) {
    this.#settled = new Table(db, "history_changes");
    this.#recent = new Table(db, "history_recent");
    this.#copy = db.prepare(
      "INSERT INTO history_changes SELECT series, at, number, value FROM history_recent WHERE series = +?",
    );
    this.#clear = db.prepare("DELETE FROM history_recent WHERE series = +?");
  }

  /** Adds the newest of a series. */
  add(series: number, { at, number, value }: ChangeRow): void {
    this.#recent.insert.run(series, at, number, value);
  }

  /** Moves a series' changes to those that are settled. */
  settle(series: number): void {
    this.#copy.run(series);
    this.#clear.run(series);
  }

  /** Whether some that are older than that time are not settled. */
  isRecentBefore(series: number, at: number): boolean {
    return this.#recent.lastBefore.get(series, at) !== undefined;
  }

  /** In order. @param after those after this one only @param limit -1: all */
  between(series: number, from: number, to: number, after: Place | undefined, limit: number): ChangeRow[] {
    const bounds = [series, from, to, after?.at ?? -1, after?.number ?? -1] as const;
    const settled = this.#settled.select.all(...bounds, limit);
    if (settled.length === limit) return settled;
    return [...settled, ...this.#recent.select.all(...bounds, limit < 0 ? limit : limit - settled.length)];
  }

  /** The last change before a time. */
  lastBefore(series: number, at: number): ChangeRow | undefined {
    return this.#recent.lastBefore.get(series, at) ?? this.#settled.lastBefore.get(series, at);
  }

  firstAt(series: number): number | undefined {
    return this.#settled.firstAt.get(series) ?? this.#recent.firstAt.get(series);
  }

  /** Forgets what is told of times after that one. */
  forgetAfter(series: number, at: number): void {
    for (const { deleteAfter } of [this.#recent, this.#settled]) deleteAfter.run(series, at);
  }
}
