/**
 * The events of the home, for readers that follow it locally (A9): a log in `agent.db`, written in the transaction of its cause,
 * so that it is never ahead of or behind the state and can be resumed over a restart without a gap. It adds a page to commits that
 * are made anyway, and no separate commit to the SD card; memory holds no event.
 *
 * Invariants: sequences have no gap within a log; two logs share no sequence; the newest event is always kept.
 */
import { type Random, randomInteger } from "@porchlight/shared/kernel";
import type { LogRange, WrittenEvent } from "@porchlight/shared/rest";
import type { Statement } from "better-sqlite3";
import { type Db, seal } from "./database.ts";

export type HomeSlice =
  /** The next events, without a gap; none when there is nothing newer. */
  | { readonly kind: "events"; readonly events: readonly WrittenEvent[] }
  /** The next event is no longer kept, or belonged to another log. `after`: the sequence before the oldest kept event. */
  | { readonly kind: "lost"; readonly after: number };

interface Kept {
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly bytes: number;
}

interface Begun {
  readonly log_id: string;
  readonly begun: number;
}

/** Maximum bytes of events: about 10,000 changes. */
const MOST_BYTES = 4 * 1024 * 1024;
/** A sweep frees this part, so that not every event causes a sweep. */
const SWEEP_PART = 1 / 8;
/** A log begins at a random multiple of this: a reader of another log asks for a sequence that this log never had. */
const APART = 1_000_000;
const BEGINNINGS = 1_000_000_000;

export class HomeLog {
  readonly #random: Random;
  readonly #most: number;
  readonly #insert: Statement<[number, string, string, number]>;
  readonly #after: Statement<[number, number], WrittenEvent>;
  readonly #oldestFirst: Statement<[], { readonly sequence: number; readonly bytes: number }>;
  readonly #deleteUpTo: Statement<[number]>;
  readonly #clear: Statement<[]>;
  readonly #kept: Statement<[], Kept>;
  readonly #selectBegun: Statement<[], Begun>;
  readonly #begin: Statement<[Begun & { readonly crc: number }]>;
  readonly #end: Statement<[]>;
  readonly #listeners = new Set<() => void>();
  #logId: string | undefined;
  #range: LogRange = { oldest: 1, newest: 0 };
  #bytes = 0;
  #appended = 0;
  /** Bytes appended in the open transaction. */
  #appending = 0;
  #isChanged = false;

  /** @param most maximum bytes of events that are kept */
  constructor(db: Db, random: Random, most = MOST_BYTES) {
    this.#random = random;
    this.#most = most;
    this.#insert = db.prepare("INSERT INTO home_events VALUES (?, ?, ?, ?)");
    this.#after = db.prepare(
      "SELECT sequence, type, text FROM home_events WHERE sequence > +? ORDER BY sequence LIMIT +?",
    );
    this.#oldestFirst = db.prepare("SELECT sequence, octet_length(text) AS bytes FROM home_events ORDER BY sequence");
    this.#deleteUpTo = db.prepare("DELETE FROM home_events WHERE sequence <= +?");
    this.#clear = db.prepare("DELETE FROM home_events");
    this.#kept = db.prepare(
      `SELECT min(sequence) AS oldest, max(sequence) AS newest, coalesce(sum(octet_length(text)), 0) AS bytes
       FROM home_events`,
    );
    this.#selectBegun = db.prepare("SELECT log_id, begun FROM home_log");
    this.#begin = db.prepare(
      `INSERT INTO home_log VALUES (1, @log_id, @begun, @crc)
       ON CONFLICT (one) DO UPDATE SET log_id = @log_id, begun = @begun, crc = @crc`,
    );
    this.#end = db.prepare("DELETE FROM home_log");
  }

  get range(): LogRange {
    return this.#range;
  }

  /** Bytes appended in this life of the agent: a reader's lag is measured in them. */
  get appended(): number {
    return this.#appended;
  }

  /** Reads the events after that sequence, at most `limit`. */
  read(after: number, limit: number): HomeSlice {
    const { oldest, newest } = this.#range;
    if (after > newest || after + 1 < oldest) return { kind: "lost", after: oldest - 1 };
    return { kind: "events", events: after === newest ? [] : this.#after.all(after, limit) };
  }

  /** Calls `wake` after commits that changed the log until the returned function is called. */
  listen(wake: () => void): () => void {
    this.#listeners.add(wake);
    return () => void this.#listeners.delete(wake);
  }

  /** Continues the log if it belongs to this history, else begins a new one; inside a transaction. @param logId the history's name */
  goOn(logId: string): void {
    if (this.#logId !== logId) this.beginAnew(logId);
  }

  /** Begins a new log, inside a transaction: the earlier events are deleted. */
  beginAnew(logId: string): void {
    const begun = randomInteger(this.#random, BEGINNINGS) * APART;
    this.#clear.run();
    this.#begin.run({ log_id: logId, begun, crc: seal([logId, begun]) });
    this.#logId = logId;
    this.#range = { oldest: begun + 1, newest: begun };
    this.#bytes = 0;
    this.#isChanged = true;
  }

  /** Ends the log, inside a transaction: later changes are not recorded, so the next log must be a different one. */
  end(): void {
    if (this.#logId === undefined) return;
    this.#clear.run();
    this.#end.run();
    this.reload();
  }

  /** Appends an event, inside a transaction. @param write returns the whole event, as JSON */
  append(type: string, write: (sequence: number) => string): void {
    const sequence = this.#range.newest + 1;
    const text = write(sequence);
    this.#insert.run(sequence, type, text, seal([sequence, type, text]));
    const bytes = Buffer.byteLength(text);
    this.#range = { ...this.#range, newest: sequence };
    this.#bytes += bytes;
    this.#appending += bytes;
    this.#isChanged = true;
    if (this.#bytes > this.#most) this.#sweep();
  }

  /** Notifies the readers, once the transaction is committed. */
  committed(): void {
    this.#appended += this.#appending;
    this.#appending = 0;
    if (!this.#isChanged) return;
    this.#isChanged = false;
    for (const wake of this.#listeners) queueMicrotask(wake);
  }

  /** Reads everything again: at the start, and after a transaction that was rolled back. */
  reload(): void {
    const log = this.#selectBegun.get();
    const { oldest, newest, bytes } = this.#kept.get() ?? { oldest: null, newest: null, bytes: 0 };
    const begun = log?.begun ?? 0;
    this.#logId = log?.log_id;
    this.#range = { oldest: oldest ?? begun + 1, newest: newest ?? begun };
    this.#bytes = bytes;
    this.#appending = 0;
    this.#isChanged = false;
  }

  #sweep(): void {
    const goal = this.#most * (1 - SWEEP_PART);
    const { newest } = this.#range;
    let gone: number | undefined;
    for (const { sequence, bytes } of this.#oldestFirst.iterate()) {
      if (this.#bytes <= goal || sequence === newest) break;
      this.#bytes -= bytes;
      gone = sequence;
    }
    if (gone === undefined) return;
    this.#deleteUpTo.run(gone);
    this.#range = { oldest: gone + 1, newest };
  }
}
