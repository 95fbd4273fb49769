/**
 * Deletes expired history, in slices that share the commits of others: after ten days, or earlier when there are too many rows. The
 * last change before the limit stays, because it holds the value at the limit.
 */
import { STEP_NAMES, startOf } from "@porchlight/shared/history";
import { findProperty } from "@porchlight/shared/model";
import type { Statement } from "better-sqlite3";
import { type Db, isOfRecord } from "../database.ts";
import type { HubClock } from "../hub-clock.ts";
import type { Devices } from "../rows/devices.ts";
import type { HubRow } from "../rows/hub-row.ts";
import type { GapRows } from "./gap-rows.ts";
import { codeOf, type Series, type SeriesRows } from "./series-rows.ts";

/** How long a change is kept, ms. */
export const KEPT_FOR_MS = 10 * 86_400_000;

export interface SeriesRetentionDeps {
  readonly clock: HubClock;
  readonly hub: HubRow;
  readonly devices: Devices;
  readonly rows: SeriesRows;
  readonly gaps: GapRows;
  /** Changes and gaps that were written in this life of the agent. */
  readonly written: () => number;
  /** Runs work in a savepoint: if it fails, all of it is rolled back, and nothing else of the transaction. */
  readonly apart: (work: () => void) => void;
  /** Called with the error for which a series was not swept. */
  readonly leftOut: (failure: unknown) => void;
  /** Maximum changes and gaps. */
  readonly most: number;
}

/** Limits of a slice: a few ms of work. */
const SLICE_CHANGES = 500;
const SLICE_SERIES = 50;
/** When there are too many rows, this part of the kept period is deleted. */
const TIME_PART = 1 / 8;

type Place = { readonly at: number; readonly number: number };

export class SeriesRetention {
  readonly #deps: SeriesRetentionDeps;
  readonly #nth: Statement<[number, number, number], Place>;
  readonly #deleteUpTo: Statement<[number, number, number]>;
  readonly #deleteBefore: Statement<[number, number, number]>;
  readonly #deleteSteps: Statement<[number, number, number]>;
  readonly #deleteSeries: Statement<[number]>;
  readonly #atStart: number;
  #deleted = 0;
  /** The current round: the series that are still to be swept, and the time before which changes are deleted. */
  #round: { readonly cut: number; readonly left: Series[] } | undefined;

  constructor(db: Db, deps: SeriesRetentionDeps) {
    this.#deps = deps;
    const older = "DELETE FROM history_changes WHERE series = +? AND (at, number)";
    this.#nth = db.prepare(
      `SELECT at, number FROM history_changes WHERE series = +? AND (at, number) < (+?, +?)
       ORDER BY at, number LIMIT 1 OFFSET ${SLICE_CHANGES - 1}`,
    );
    this.#deleteUpTo = db.prepare(`${older} <= (+?, +?)`);
    this.#deleteBefore = db.prepare(`${older} < (+?, +?)`);
    this.#deleteSteps = db.prepare("DELETE FROM history_steps WHERE series = +? AND step = +? AND start < +?");
    this.#deleteSeries = db.prepare("DELETE FROM history_series WHERE number = +?");
    const count = db.prepare<[], number>(
      `SELECT (SELECT count(*) FROM history_changes) + (SELECT count(*) FROM history_recent)
         + (SELECT count(*) FROM history_gaps)`,
    );
    this.#atStart = count.pluck().get() ?? 0;
  }

  /** Changes and gaps that are kept; slightly too high after a transaction was rolled back. */
  get rows(): number {
    return this.#atStart + this.#deps.written() - this.#deleted;
  }

  get isTooMuch(): boolean {
    return this.rows > this.#deps.most;
  }

  /** Deletes one slice, inside a transaction; returns whether there is more to do. */
  slice(): boolean {
    this.#round ??= this.#begin();
    const round = this.#round;
    if (!round) return false;
    let room = SLICE_CHANGES;
    for (let count = 0; count < SLICE_SERIES && room > 0; count++) {
      const series = round.left.at(-1);
      if (!series) break;
      room -= this.#sweepOrLeave(series, round.cut);
      // Room is left, so the series is swept completely.
      if (room > 0) round.left.pop();
    }
    if (round.left.length > 0) return true;
    this.#deps.gaps.forgetBefore(round.cut);
    this.#round = undefined;
    return this.isTooMuch;
  }

  /** Restarts the round after a transaction that was rolled back. */
  reload(): void {
    this.#round = undefined;
  }

  #begin() {
    const { hub, clock, rows } = this.#deps;
    const now = clock.now();
    const oldest = Math.max(hub.keptFrom, now - KEPT_FOR_MS);
    // A clock that the cloud has not confirmed can be wrong by years: age alone deletes nothing then.
    const aged = clock.isSetByCloud ? now - KEPT_FOR_MS : 0;
    const cut = startOf("hours", Math.floor(this.isTooMuch ? oldest + (now - oldest) * TIME_PART : aged));
    if (cut <= hub.keptFrom) return undefined;
    hub.keepFrom(cut);
    return { cut, left: rows.all() };
  }

  /** Returns the number of deleted changes: 0 for a series that cannot be swept, which waits for the next round. */
  #sweepOrLeave(series: Series, cut: number): number {
    const { apart, leftOut } = this.#deps;
    const before = this.#deleted;
    try {
      apart(() => void this.#sweep(series, cut));
    } catch (failure) {
      if (!isOfRecord(failure)) throw failure;
      this.#deleted = before;
      leftOut(failure);
    }
    return this.#deleted - before;
  }

  /** Sweeps a series and counts the deleted changes. */
  #sweep(series: Series, cut: number): void {
    const { rows } = this.#deps;
    const { number } = series;
    rows.settleBefore(series, cut);
    const last = rows.lastBefore(series, cut);
    if (!last) return;
    const nth = this.#nth.get(number, last.at, last.number);
    const { changes } = nth
      ? this.#deleteUpTo.run(number, nth.at, nth.number)
      : this.#deleteBefore.run(number, last.at, last.number);
    this.#deleted += changes;
    if (nth) return;
    for (const step of STEP_NAMES) this.#deleteSteps.run(number, codeOf(step), cut);
    if (!this.#isDescribed(series) && !rows.changes(series, cut, Number.MAX_SAFE_INTEGER, undefined, 1)[0]) {
      this.#deleteUpTo.run(number, last.at, last.number);
      this.#deleteSeries.run(number);
      rows.forget(series);
    }
  }

  #isDescribed(series: Series): boolean {
    const device = this.#deps.devices.get(series.device);
    return device !== undefined && findProperty(device.description, series) !== undefined;
  }
}
