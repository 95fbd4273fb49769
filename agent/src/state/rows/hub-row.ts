/** The single row of a hub: the name of its history, the numbers assigned, and how long it has been running. */
import type { Random } from "@porchlight/shared/kernel";
import type { Statement } from "better-sqlite3";
import { type Db, seal } from "../database.ts";
import { SEALED } from "../schema.ts";

interface Row {
  readonly log_id: string;
  readonly last_number: number;
  readonly acknowledged: number;
  readonly last_arrival: number;
  readonly running_ms: number;
  readonly known_at: number;
  readonly alive_at: number;
  readonly kept_from: number;
}

/** A time that only advances is written with another change, or at this interval, ms. */
const ALIVE_MS = 60_000;
const FRESH: Row = {
  ...{ log_id: "", last_number: 0, acknowledged: 0, last_arrival: 0 },
  ...{ running_ms: 0, known_at: 0, alive_at: 0, kept_from: 0 },
};

/** A copy in memory that is written with the transaction that changed it; call {@link reload} after a rollback. */
export class HubRow {
  readonly #random: Random;
  readonly #select: Statement<[], Row>;
  readonly #update: Statement<(string | number)[]>;
  #row = FRESH;
  #changed = false;

  constructor(db: Db, random: Random) {
    this.#random = random;
    this.#select = db.prepare(`SELECT ${SEALED.hub.join(", ")} FROM hub`);
    this.#update = db.prepare(
      `INSERT OR REPLACE INTO hub (one, ${SEALED.hub.join(", ")}, crc) VALUES (1, ${SEALED.hub.map(() => "?").join(", ")}, ?)`,
    );
  }

  get logId(): string {
    return this.#row.log_id;
  }

  /** The last number of the history that was assigned. */
  get lastNumber(): number {
    return this.#row.last_number;
  }

  get acknowledged(): number {
    return this.#row.acknowledged;
  }

  /** How long this database has been in use, ms; unaffected by jumps of the wall clock. */
  get runningMs(): number {
    return this.#row.running_ms;
  }

  /** The latest time that the hub knew for certain, ms since 1970; 0 when it never did. */
  get knownAt(): number {
    return this.#row.known_at;
  }

  know(now: number): void {
    this.#set({ known_at: now });
  }

  /** Properties were recorded up to this time, ms since 1970; 0 when they never were. */
  get aliveAt(): number {
    return this.#row.alive_at;
  }

  /** Notes that properties are recorded up to now; called at the end of a transaction. */
  alive(now: number): void {
    if (this.#changed || Math.abs(now - this.#row.alive_at) >= ALIVE_MS) this.#set({ alive_at: now });
  }

  /** Changes of properties before this time are no longer kept: wall clock, ms. */
  get keptFrom(): number {
    return this.#row.kept_from;
  }

  keepFrom(at: number): void {
    this.#set({ kept_from: at });
  }

  nextNumber(): number {
    const number = this.#row.last_number + 1;
    this.#set({ last_number: number });
    return number;
  }

  nextArrival(): number {
    const arrival = this.#row.last_arrival + 1;
    this.#set({ last_arrival: arrival });
    return arrival;
  }

  acknowledge(number: number): void {
    if (number > this.#row.acknowledged) this.#set({ acknowledged: number });
  }

  addRunning(ms: number): void {
    this.#set({ running_ms: this.#row.running_ms + ms });
  }

  /** Gives the history a new name; nothing of it is acknowledged. */
  renewLog(): void {
    this.#set({ log_id: Buffer.from(this.#random.bytes(16)).toString("base64url"), acknowledged: 0 });
  }

  /** Writes the row if it has changed; part of every transaction. */
  save(): void {
    if (!this.#changed) return;
    const row = SEALED.hub.map((column) => this.#row[column]);
    this.#update.run(...row, seal(row));
    this.#changed = false;
  }

  reload(): void {
    this.#row = this.#select.get() ?? FRESH;
    this.#changed = false;
  }

  #set(change: Partial<Row>): void {
    this.#row = { ...this.#row, ...change };
    this.#changed = true;
  }
}
