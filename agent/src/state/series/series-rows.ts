/**
 * The rows of series: their complete steps, and the changes of properties, in two tables of one form. Changes of a series' open hour are in
 * a small table, where many properties share few pages: a commit writes whole pages, and would otherwise write one per changed property.
 * When the hour is complete, they move to the large table, where the changes of one property are adjacent.
 *
 * Invariant: within a series, every change in the small table is later than every change in the large one.
 */

import type { HistoryKind } from "@porchlight/shared/api";
import { type Bucket, readSum, STEP_NAMES, STEPS, type Step, storedSum } from "@porchlight/shared/history";
import type { Statement } from "better-sqlite3";
import { type Db, seal } from "../database.ts";
import { type PropertyTarget, targetKey } from "../rows/devices.ts";
import { SEALED } from "../schema.ts";

/**
 * The changes of properties, in two tables of one form. Changes of a series' open hour are in a small table, where many properties
 * share few pages: a commit writes whole pages, and would otherwise write one per changed property. When the hour is complete, they
 * move to the large table, where the changes of one property are adjacent.
 *
 * Invariant: within a series, every change in the small table is later than every change in the large one.
 */
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

class ChangeRows {
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

export interface Series extends PropertyTarget {
  readonly number: number;
  /** The kind at the first recording. */
  readonly kind: HistoryKind;
}

interface SeriesRow {
  readonly number: number;
  readonly device: string;
  readonly service: string;
  readonly idx: string;
  readonly property: string;
  readonly kind: string;
}

interface StepRow {
  readonly start: number;
  readonly count: number;
  readonly known_ms: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly area: number;
  readonly growth: number;
  readonly resets: number;
  readonly last: string;
  readonly states: string | null;
}

const STEP_COLUMNS = "start, count, known_ms, min, max, area, growth, resets, last, states";

export class SeriesRows {
  readonly #changes: ChangeRows;
  readonly #selectSeries: Statement<[], SeriesRow>;
  readonly #insertSeries: Statement<[SeriesRow & { readonly crc: number }]>;
  readonly #insertStep: Statement<(string | number | null)[]>;
  readonly #steps: Statement<[number, number, number, number], StepRow>;
  readonly #deleteSteps: Statement<[number, number, number]>;
  readonly #series = new Map<string, Series>();
  #lastNumber = 0;

  constructor(db: Db) {
    this.#changes = new ChangeRows(db);
    this.#selectSeries = db.prepare("SELECT number, device, service, idx, property, kind FROM history_series");
    this.#insertSeries = db.prepare(
      "INSERT INTO history_series VALUES (@number, @device, @service, @idx, @property, @kind, @crc)",
    );
    this.#insertStep = db.prepare(
      `INSERT OR REPLACE INTO history_steps (series, step, ${STEP_COLUMNS})
       VALUES (?, ?, ${STEP_COLUMNS.replaceAll(/\w+/g, "?")})`,
    );
    this.#steps = db.prepare(
      `SELECT ${STEP_COLUMNS} FROM history_steps WHERE series = +? AND step = +? AND start >= +? AND start < +? ORDER BY start`,
    );
    this.#deleteSteps = db.prepare("DELETE FROM history_steps WHERE series = +? AND step = +? AND start > +?");
  }

  get(target: PropertyTarget): Series | undefined {
    return this.#series.get(targetKey(target));
  }

  all(): Series[] {
    return [...this.#series.values()];
  }

  add({ device, service, index, property }: PropertyTarget, kind: HistoryKind): Series {
    this.#lastNumber += 1;
    const row: SeriesRow = { number: this.#lastNumber, device, service, idx: index, property, kind };
    this.#insertSeries.run({ ...row, crc: seal(SEALED.history_series.map((column) => row[column])) });
    return this.#remember(row);
  }

  addChange({ number }: Series, change: ChangeRow): void {
    this.#changes.add(number, change);
  }

  /** Settles a series: the hour of its changes so far is complete. */
  settle({ number }: Series): void {
    this.#changes.settle(number);
  }

  /** Settles changes older than that time, so that all of them are in `history_changes`. */
  settleBefore(series: Series, at: number): void {
    if (this.#changes.isRecentBefore(series.number, at)) this.settle(series);
  }

  addStep({ number }: Series, step: Step, bucket: Bucket): void {
    const { start, count, knownMs, min, max, area, growth, resets, last, states } = bucket;
    const statesText = Object.keys(states).length > 0 ? JSON.stringify(states) : null;
    const sums = [count, Math.round(knownMs), min, max, storedSum(area), storedSum(growth), resets] as const;
    this.#insertStep.run(number, codeOf(step), start, ...sums, last, statesText);
  }

  /** Changes in order. @param after returns only changes after this place */
  changes(series: Series, from: number, to: number, after: Omit<ChangeRow, "value"> | undefined, limit: number) {
    return this.#changes.between(series.number, from, to, after, limit);
  }

  /** The last change before a time. */
  lastBefore(series: Series, at: number): ChangeRow | undefined {
    return this.#changes.lastBefore(series.number, at);
  }

  firstAt(series: Series): number | undefined {
    return this.#changes.firstAt(series.number);
  }

  steps(series: Series, step: Step, from: number, to: number): Bucket[] {
    return this.#steps.all(series.number, codeOf(step), from, to).map(bucketOf);
  }

  /** Deletes changes and steps after that time. */
  forgetAfter({ number }: Series, at: number): void {
    this.#changes.forgetAfter(number, at);
    for (const step of STEP_NAMES) this.#deleteSteps.run(number, codeOf(step), at - STEPS[step]);
  }

  /** Reads everything again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#series.clear();
    this.#lastNumber = 0;
    for (const row of this.#selectSeries.iterate()) this.#remember(row);
  }

  /** Removes a series whose row was deleted from memory. */
  forget(series: Series): void {
    this.#series.delete(targetKey(series));
  }

  #remember({ number, device, service, idx, property, kind }: SeriesRow): Series {
    // Only `add` writes this column, so the cast holds.
    const series: Series = { number, device, service, index: idx, property, kind: kind as HistoryKind };
    this.#series.set(targetKey(series), series);
    this.#lastNumber = Math.max(this.#lastNumber, number);
    return series;
  }
}

/** The code of a step in its column. */
export function codeOf(step: Step): number {
  return STEP_NAMES.indexOf(step);
}

function bucketOf({ known_ms: knownMs, states, area, growth, ...row }: StepRow): Bucket {
  const sums = { area: readSum(area), growth: readSum(growth) };
  return { ...row, ...sums, knownMs, states: states === null ? {} : JSON.parse(states) };
}
