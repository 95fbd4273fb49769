/**
 * When nothing was known of a property, of a device, or of all devices of the hub: the table, and in memory how far the last of them reach, so that a
 * change of a device without a recent gap asks for none.
 */
import { type Interval, merged } from "@porchlight/shared/history";
import type { Statement } from "better-sqlite3";
import type { Db } from "../database/database.ts";
import { seal } from "../database/row-checksum.ts";
import { SEALED } from "../database/schema.ts";
import { type PropertyTarget, targetKey } from "../rows/devices.ts";

/** As the API names it. */
export type GapReason = "device_offline" | "hub_offline" | "not_recorded";

/** Wall clock, ms; `until` is exclusive, and infinite while it lasts. */
export interface Gap extends Interval {
  readonly reason: GapReason;
}

interface Row {
  /** Of a property, its `targetKey`. */
  readonly device: string;
  readonly since: number;
  readonly until: number | null;
  readonly reason: string;
}

/** In the place of a device: the hub, and so all of them. */
const THE_HUB = "";

export class GapRows {
  readonly #select: Statement<[string, string, string, number, number], Row>;
  readonly #open: Statement<[string], Row>;
  readonly #upsert: Statement<[Row & { readonly crc: number }]>;
  readonly #delete: Statement<[string, number]>;
  readonly #ends: Statement<[], { readonly device: string; readonly until: number | null; readonly open: number }>;
  readonly #reaching: Statement<[number], Row>;
  readonly #endedBefore: Statement<[number]>;
  /** Until when the last gap of a device lasts. */
  readonly #lastUntil = new Map<string, number>();

  constructor(db: Db) {
    this.#select = db.prepare(
      `SELECT device, since, until, reason FROM history_gaps
       WHERE device IN (+?, +?, +?) AND since < +? AND (until IS NULL OR until > +?) ORDER BY since, device`,
    );
    this.#open = db.prepare(
      "SELECT device, since, until, reason FROM history_gaps WHERE device = +? AND until IS NULL",
    );
    this.#upsert = db.prepare(
      `INSERT INTO history_gaps VALUES (@device, @since, @until, @reason, @crc)
       ON CONFLICT (device, since) DO UPDATE SET until = @until, reason = @reason, crc = @crc`,
    );
    this.#delete = db.prepare("DELETE FROM history_gaps WHERE device = +? AND since = +?");
    this.#ends = db.prepare(
      `SELECT device, max(until) AS until, count(*) - count(until) AS open FROM history_gaps GROUP BY device`,
    );
    this.#reaching = db.prepare(
      "SELECT device, since, until, reason FROM history_gaps WHERE coalesce(until, since) > +?",
    );
    this.#endedBefore = db.prepare("DELETE FROM history_gaps WHERE until < +?");
  }

  /** Those of a property, of its device and of the hub that reach into a time, whole, by their beginnings. */
  of(target: PropertyTarget, from: number, to: number): Gap[] {
    return this.#select.all(targetKey(target), target.device, THE_HUB, to, from).map(({ since, until, reason }) => ({
      from: since,
      until: until ?? Number.POSITIVE_INFINITY,
      // Written by `#write`, so it is one.
      reason: reason as GapReason,
    }));
  }

  /** What of the time since then was not known of a property; merged. */
  since(target: PropertyTarget, at: number): Interval[] {
    const last = Math.max(...[targetKey(target), target.device, THE_HUB].map((of) => this.#lastUntil.get(of) ?? 0));
    return last <= at ? [] : merged(this.of(target, at, Number.MAX_SAFE_INTEGER));
  }

  /** @param device or the key of a property, as below */
  isOpen(device: string): boolean {
    return this.#lastUntil.get(device) === Number.POSITIVE_INFINITY;
  }

  /** A gap of the whole hub that is over. */
  addOfHub(gap: Gap): void {
    this.add(THE_HUB, gap);
  }

  /** A gap that is over; one that is empty is none. */
  add(device: string, { from, until, reason }: Gap): void {
    if (until > from) this.#write({ device, since: from, until, reason });
  }

  open(device: string, since: number, reason: GapReason): void {
    if (!this.isOpen(device)) this.#write({ device, since, until: null, reason });
  }

  /** The device is known again. */
  close(device: string, until: number): void {
    if (!this.isOpen(device)) return;
    for (const row of this.#open.all(device)) {
      if (until > row.since) this.#write({ ...row, until });
      else this.#delete.run(device, row.since);
    }
    // May be too late, which costs a question and changes no answer.
    this.#lastUntil.set(device, until);
  }

  /** The clock was ahead: nothing that is told of a later time is true. */
  cut(now: number): void {
    for (const row of this.#reaching.all(now)) {
      this.#delete.run(row.device, row.since);
      if (row.until === null) this.#write({ ...row, since: Math.min(row.since, now) });
      else if (row.since < now) this.#write({ ...row, until: now });
    }
    this.#readEnds();
  }

  /** Forgets those that ended before a time. */
  forgetBefore(at: number): void {
    this.#endedBefore.run(at);
  }

  /** Reads everything afresh: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#readEnds();
  }

  #readEnds(): void {
    this.#lastUntil.clear();
    for (const { device, until, open } of this.#ends.all())
      this.#lastUntil.set(device, open > 0 ? Number.POSITIVE_INFINITY : (until ?? 0));
  }

  #write(row: Row): void {
    this.#upsert.run({ ...row, crc: seal(SEALED.history_gaps.map((column) => row[column])) });
    const until = row.until ?? Number.POSITIVE_INFINITY;
    this.#lastUntil.set(row.device, Math.max(this.#lastUntil.get(row.device) ?? 0, until));
  }
}
