/**
 * Records that the cloud has not acknowledged, in order, bounded in bytes. Its own file because of the bound: a full outbox drops
 * values that a newer value replaces, and never a result or an event.
 */
import { UNKNOWN_TIME } from "@porchlight/shared/model";
import type { Statement } from "better-sqlite3";
import { type Db, seal } from "../database.ts";
import type { HubClock } from "../hub-clock.ts";
import type { StoredRecord } from "./journal.ts";

interface Row {
  readonly number: number;
  readonly payload: string;
  readonly bytes: number;
  /** The moment of observation on the monotonic clock of that start of the machine, if the time was unknown. */
  readonly stamp: number | null;
  readonly boot: string | null;
}

type Place = Pick<Row, "number" | "bytes">;

interface Size {
  readonly bytes: number;
  readonly records: number;
}

/** Records as JSON, in order. */
export interface PendingTexts {
  readonly texts: readonly string[];
  /** Number of the last record; without records, the number that the caller passed. */
  readonly last: number;
}

/** A sweep frees this part of the bound, so that not every record causes a sweep. */
const SWEEP_PART = 1 / 8;

export class Outbox {
  readonly #limit: number;
  readonly #clock: HubClock;
  readonly #insert: Statement<(string | number | null)[]>;
  readonly #after: Statement<[number, number], Row>;
  readonly #upTo: Statement<[number], Size>;
  readonly #deleteUpTo: Statement<[number]>;
  readonly #delete: Statement<[number]>;
  readonly #older: Statement<[string, number], Place>;
  readonly #replaceable: Statement<[], Place>;
  readonly #size: Statement<[], Size>;
  #bytes = 0;
  #records = 0;
  #dropped = 0;
  /** Values dropped in the open transaction. */
  #dropping = 0;
  /** The last sweep left nothing to drop, and each value added to the full outbox since then has replaced its predecessor. */
  #swept = false;

  /** @param limit maximum bytes that may wait */
  constructor(db: Db, limit: number, clock: HubClock) {
    this.#limit = limit;
    this.#clock = clock;
    this.#insert = db.prepare("INSERT INTO outbox VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    this.#after = db.prepare(
      "SELECT number, payload, bytes, stamp, boot FROM outbox WHERE number > +? ORDER BY number LIMIT +?",
    );
    const size = "SELECT coalesce(sum(bytes), 0) AS bytes, count(*) AS records FROM outbox";
    this.#size = db.prepare(size);
    this.#upTo = db.prepare(`${size} WHERE number <= +?`);
    this.#deleteUpTo = db.prepare("DELETE FROM outbox WHERE number <= +?");
    this.#delete = db.prepare("DELETE FROM outbox WHERE number = +?");
    this.#older = db.prepare("SELECT number, bytes FROM outbox WHERE collapse = +? AND number < +? ORDER BY number");
    this.#replaceable = db.prepare(
      `SELECT number, bytes FROM outbox AS elder WHERE collapse IS NOT NULL AND EXISTS
         (SELECT 1 FROM outbox AS newer WHERE newer.collapse = elder.collapse AND newer.number > elder.number)
       ORDER BY number LIMIT 1000`,
    );
  }

  get bytes(): number {
    return this.#bytes;
  }

  get records(): number {
    return this.#records;
  }

  /** Values dropped since the start because a newer one was kept. */
  get dropped(): number {
    return this.#dropped;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#limit;
  }

  /** Whether there is room, if necessary after dropping values that a newer value replaces. */
  makeRoom(): boolean {
    if (!this.isFull) return true;
    if (this.#swept) return false;
    const goal = this.#limit * (1 - SWEEP_PART);
    for (let found = this.#replaceable.all(); found.length > 0; found = this.#replaceable.all()) {
      for (const place of found) if (this.#bytes > goal) this.#drop(place);
      if (this.#bytes <= goal) break;
    }
    this.#swept = this.isFull;
    return !this.isFull;
  }

  /**
   * Appends a record, even beyond the bound: callers must first check {@link makeRoom} for records that a full outbox refuses.
   * @param collapse a newer record of the same name replaces this one; null for a record that is never dropped
   */
  append(record: StoredRecord, collapse: string | null): void {
    const payload = JSON.stringify(record);
    const bytes = Buffer.byteLength(payload);
    const { monotonic = null, boot = null } =
      (record.observedAt === UNKNOWN_TIME ? undefined : this.#clock.stamp()) ?? {};
    const row = [record.n, record.kind, collapse, payload, bytes, monotonic, boot] as const;
    this.#insert.run(...row, seal(row));
    this.#bytes += bytes;
    this.#records += 1;
    if (collapse === null) return;
    if (this.isFull) for (const place of this.#older.all(collapse, record.n)) this.#drop(place);
    else this.#swept = false;
  }

  /** Returns the records after that number, in order, at most `limit` records and about `bytes` bytes (at least one record). */
  pending(after: number, limit: number, bytes: number): StoredRecord[] {
    // Only `append` writes this column, so the cast holds.
    return this.#rows(after, limit, bytes).map((row) => this.#timed(JSON.parse(row.payload) as StoredRecord, row));
  }

  /** The same records as JSON: the stored text itself wherever the time was known. */
  pendingTexts(after: number, limit: number, bytes: number): PendingTexts {
    const rows = this.#rows(after, limit, bytes);
    return { texts: rows.map((row) => this.#textOf(row)), last: rows.at(-1)?.number ?? after };
  }

  /** Deletes the records up to that number. */
  acknowledge(number: number): void {
    const gone = this.#upTo.get(number);
    if (!gone || gone.records === 0) return;
    this.#deleteUpTo.run(number);
    this.#bytes -= gone.bytes;
    this.#records -= gone.records;
  }

  /** The transaction is committed: the values that it dropped are final. */
  committed(): void {
    this.#dropped += this.#dropping;
    this.#dropping = 0;
  }

  /** Counts again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    const size = this.#size.get();
    this.#bytes = size?.bytes ?? 0;
    this.#records = size?.records ?? 0;
    this.#dropping = 0;
    this.#swept = false;
  }

  #rows(after: number, limit: number, bytes: number): Row[] {
    const rows: Row[] = [];
    let taken = 0;
    for (const row of this.#after.iterate(after, limit)) {
      taken += row.bytes;
      if (rows.length > 0 && taken > bytes) break;
      rows.push(row);
    }
    return rows;
  }

  #textOf(row: Row): string {
    // Only `append` writes this column, so the cast holds.
    return row.stamp === null ? row.payload : JSON.stringify(this.#timed(JSON.parse(row.payload) as StoredRecord, row));
  }

  /** The record with its time corrected by the current knowledge of the time. */
  #timed(record: StoredRecord, { stamp, boot }: Row): StoredRecord {
    if (stamp === null || boot === null) return record;
    return { ...record, observedAt: this.#clock.corrected(record.observedAt, { boot, monotonic: stamp }) };
  }

  #drop(place: Place): void {
    this.#delete.run(place.number);
    this.#bytes -= place.bytes;
    this.#records -= 1;
    this.#dropping += 1;
  }
}
