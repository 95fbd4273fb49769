/**
 * The changes of properties, in two tables of one form. Changes of a series' open hour are in a small table, where many properties
 * share few pages: a commit writes whole pages, and would otherwise write one per changed property. When the hour is complete, they
 * move to the large table, where the changes of one property are adjacent.
 *
 * Invariant: within a series, every change in the small table is later than every change in the large one.
 */
import type { Statement } from "better-sqlite3";
import type { Db } from "../database.ts";

export interface ChangeRow {
  /** Wall-clock time in whole ms. */
  readonly at: number;
  readonly number: number;
  /** JSON. */
  readonly value: string;
}

type Place = Omit<ChangeRow, "value">;

/** The statements of one of the two tables. */
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

  /** Adds the newest change of a series. */
  add(series: number, { at, number, value }: ChangeRow): void {
    this.#recent.insert.run(series, at, number, value);
  }

  /** Moves a series' recent changes to the large table. */
  settle(series: number): void {
    this.#copy.run(series);
    this.#clear.run(series);
  }

  /** Whether the small table has changes older than that time. */
  isRecentBefore(series: number, at: number): boolean {
    return this.#recent.lastBefore.get(series, at) !== undefined;
  }

  /** Changes in order. @param after returns only changes after this place @param limit -1: all */
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

  /** Deletes changes after that time. */
  forgetAfter(series: number, at: number): void {
    for (const { deleteAfter } of [this.#recent, this.#settled]) deleteAfter.run(series, at);
  }
}
