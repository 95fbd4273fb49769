/**
 * Gaps in the history of a property, of a device, or of the whole hub: the table, and in memory the end of the last gap of each,
 * so that a change of a device without a recent gap needs no query.
 */
import { type Interval, merged } from "@porchlight/shared/history";
import type { Statement } from "better-sqlite3";
import { type Db, seal } from "../database.ts";
import { type PropertyTarget, targetKey } from "../rows/devices.ts";
import { SEALED } from "../schema.ts";

/** The reason in the terms of the API. */
export type GapReason = "device_offline" | "hub_offline" | "not_recorded";

/** Wall clock, ms; `until` is exclusive, and infinite while the gap lasts. */
export interface Gap extends Interval {
  readonly reason: GapReason;
}

interface Row {
  /** An edgeId, {@link THE_HUB}, or the `targetKey` of a property. */
  readonly device: string;
  readonly since: number;
  readonly until: number | null;
  readonly reason: string;
}

/** Stands for the hub, and so for all its devices, in the column `device`. */
const THE_HUB = "";

export class GapRows {
  readonly #select: Statement<[string, string, string, number, number], Row>;
  readonly #open: Statement<[string], Row>;
  readonly #upsert: Statement<[Row & { readonly crc: number }]>;
  readonly #delete: Statement<[string, number]>;
  readonly #ends: Statement<[], { readonly device: string; readonly until: number | null; readonly open: number }>;
  readonly #reaching: Statement<[number], Row>;
  readonly #endedBefore: Statement<[number]>;
  /** The end of the last gap of each device, of each property, and of the hub. */
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

  /** The gaps of a property, of its device and of the hub that overlap an interval, uncut, by start. */
  of(target: PropertyTarget, from: number, to: number): Gap[] {
    return this.#select.all(targetKey(target), target.device, THE_HUB, to, from).map(({ since, until, reason }) => ({
      from: since,
      until: until ?? Number.POSITIVE_INFINITY,
      // Only `#write` writes this column, so the cast holds.
      reason: reason as GapReason,
    }));
  }

  /** The merged gaps of a property since that time. */
  since(target: PropertyTarget, at: number): Interval[] {
    const last = Math.max(...[targetKey(target), target.device, THE_HUB].map((of) => this.#lastUntil.get(of) ?? 0));
    return last <= at ? [] : merged(this.of(target, at, Number.MAX_SAFE_INTEGER));
  }

  /** @param device an edgeId or the key of a property, here and below */
  isOpen(device: string): boolean {
    return this.#lastUntil.get(device) === Number.POSITIVE_INFINITY;
  }

  /** Adds a closed gap of the whole hub. */
  addOfHub(gap: Gap): void {
    this.add(THE_HUB, gap);
  }

  /** Adds a closed gap, unless it is empty. */
  add(device: string, { from, until, reason }: Gap): void {
    if (until > from) this.#write({ device, since: from, until, reason });
  }

  open(device: string, since: number, reason: GapReason): void {
    if (!this.isOpen(device)) this.#write({ device, since, until: null, reason });
  }

  /** Closes the gap: the device is known again. */
  close(device: string, until: number): void {
    if (!this.isOpen(device)) return;
    for (const row of this.#open.all(device)) {
      if (until > row.since) this.#write({ ...row, until });
      else this.#delete.run(device, row.since);
    }
    // Can be later than the true end, which costs a query and changes no result.
    this.#lastUntil.set(device, until);
  }

  /** Cuts gaps at `now`: the clock was ahead, so later times in the table are wrong. */
  cut(now: number): void {
    for (const row of this.#reaching.all(now)) {
      this.#delete.run(row.device, row.since);
      if (row.until === null) this.#write({ ...row, since: Math.min(row.since, now) });
      else if (row.since < now) this.#write({ ...row, until: now });
    }
    this.#readEnds();
  }

  /** Deletes gaps that ended before a time. */
  forgetBefore(at: number): void {
    this.#endedBefore.run(at);
  }

  /** Reads everything again: at the start, and after a transaction that was rolled back. */
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
