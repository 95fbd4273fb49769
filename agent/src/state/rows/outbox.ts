/**
 * What the cloud must still hear, in order, bounded in bytes. Its own file because of the bound: full, it drops values of
 * which it keeps a newer one, and never a result or an event.
 */
import { UNKNOWN_TIME } from "@porchlight/shared/model";
import type { Statement } from "better-sqlite3";
import type { Db } from "../database/database.ts";
import type { HubClock } from "../database/hub-clock.ts";
import { seal } from "../database/row-checksum.ts";
import type { StoredRecord } from "./journal.ts";

interface Row {
  readonly number: number;
  readonly payload: string;
  readonly bytes: number;
  /** Where the time was not known: when it was observed on the monotonic clock of that start of the machine. */
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
  /** Number of the last one; that from which on was asked, when there is none. */
  readonly last: number;
}

/** A sweep frees this part of the bound, so that it is not done anew for each record. */
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
  /** Dropped in the transaction under way. */
  #dropping = 0;
  /** Nothing in it could give way when it was last swept, and nothing has come since that did not replace its elder. */
  #swept = false;

  /** @param limit most bytes that may wait */
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

  /** Whether there is room, if need be by dropping what a newer value replaces. */
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
   * Appends a record, also past the bound: what must not enter a full outbox is refused before, by {@link makeRoom}.
   * @param collapse names what a newer record of the same name replaces; null for what is never dropped
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

  /** The records after that number, in order, at most `limit` and about `bytes` of them (one at least). */
  pending(after: number, limit: number, bytes: number): StoredRecord[] {
    // Written by `append`, so they are records.
    return this.#rows(after, limit, bytes).map((row) => this.#timed(JSON.parse(row.payload) as StoredRecord, row));
  }

  /** The same as JSON, which is what is stored wherever the time was known. */
  pendingTexts(after: number, limit: number, bytes: number): PendingTexts {
    const rows = this.#rows(after, limit, bytes);
    return { texts: rows.map((row) => this.#textOf(row)), last: rows.at(-1)?.number ?? after };
  }

  /** Forgets the records up to that number. */
  acknowledge(number: number): void {
    const gone = this.#upTo.get(number);
    if (!gone || gone.records === 0) return;
    this.#deleteUpTo.run(number);
    this.#bytes -= gone.bytes;
    this.#records -= gone.records;
  }

  /** The transaction is committed: what it dropped is gone. */
  committed(): void {
    this.#dropped += this.#dropping;
    this.#dropping = 0;
  }

  /** Counts afresh: at the start, and after a transaction that was rolled back. */
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
    // Written by `append`, so it is a record.
    return row.stamp === null ? row.payload : JSON.stringify(this.#timed(JSON.parse(row.payload) as StoredRecord, row));
  }

  /** The record with the time that is right by what is known now. */
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
