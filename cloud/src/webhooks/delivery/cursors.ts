/** The positions of one webhook in the log and in its replays. */
import type { Sql, WebhookCursorRow } from "../../store/index.ts";
import { recordedSequences } from "../delivery-store.ts";
import { cursorsOf } from "../webhook-store.ts";
import type { Attempt, CursorPosition } from "./recording.ts";

/** A webhook's position in the log, in memory: the events that were read, and those of them that are not recorded yet. */
export class Cursor {
  readonly id: string;
  /** Last sequence of a replay; undefined for the log itself, which has no end. */
  readonly until: number | undefined;
  /** Sequence of the last event read. */
  #read: number;
  /** The stored position. */
  #stored: number;
  /** Wanted events that were read and are not recorded. */
  readonly #open = new Set<number>();
  /** Events behind the stored position that an earlier process recorded already. */
  readonly #recorded: Set<number>;

  constructor({ id, position, until }: WebhookCursorRow, recorded: readonly number[]) {
    this.id = id;
    this.until = until ?? undefined;
    this.#read = position;
    this.#stored = position;
    this.#recorded = new Set(recorded);
  }

  get read(): number {
    return this.#read;
  }

  /** Whether a replay has been read to its end. */
  get isRead(): boolean {
    return this.until !== undefined && this.#read >= this.until;
  }

  /** Moves past an event; returns whether it must be sent. */
  pass(sequence: number, isWanted: boolean): boolean {
    this.#read = Math.max(this.#read, sequence);
    if (!isWanted || this.#recorded.delete(sequence)) return false;
    this.#open.add(sequence);
    return true;
  }

  /** Skips events up to that one: the webhook starts later, or the log no longer has them. */
  skipTo(sequence: number): void {
    this.#read = Math.max(this.#read, sequence);
  }

  /** Drops events that were read and not started; they are read again when they are wanted. */
  forget(sequences: readonly number[]): void {
    for (const sequence of sequences) this.#open.delete(sequence);
  }

  /** The position that may be stored once these are recorded too. */
  positionWith(recorded: ReadonlySet<number>): number {
    let position = this.#read;
    for (const sequence of this.#open) if (!recorded.has(sequence)) position = Math.min(position, sequence - 1);
    return position;
  }

  /** These are recorded, and the position is stored. */
  stored(recorded: ReadonlySet<number>, position: number): void {
    for (const sequence of recorded) this.#open.delete(sequence);
    this.#stored = Math.max(this.#stored, position);
  }

  /** Whether the stored position is behind. */
  get isAhead(): boolean {
    return this.positionWith(new Set()) > this.#stored;
  }

  /** Whether a replay is complete at that position. */
  isOver(position: number): boolean {
    return this.until !== undefined && position >= this.until;
  }
}

/** All cursors of one webhook, in the log and in its replays, as its worker reads and records. */
export class Cursors {
  readonly #ecosystemId: string;
  readonly #webhookId: string;
  readonly #byId = new Map<string, Cursor>();

  constructor(ecosystemId: string, webhookId: string) {
    this.#ecosystemId = ecosystemId;
    this.#webhookId = webhookId;
  }

  /** Reads the stored cursors: new replays, and a log position that was reset. */
  async find(sql: Sql): Promise<void> {
    for (const row of await cursorsOf(sql, this.#ecosystemId, this.#webhookId)) {
      const known = this.#byId.get(row.id);
      if (known) known.skipTo(row.position);
      else {
        const recorded = await recordedSequences(sql, this.#ecosystemId, this.#webhookId, row.id, row.position);
        this.#byId.set(row.id, new Cursor(row, recorded));
      }
    }
  }

  [Symbol.iterator](): IterableIterator<Cursor> {
    return this.#byId.values();
  }

  get(id: string): Cursor | undefined {
    return this.#byId.get(id);
  }

  /** Whether the stored positions are behind. */
  get isAhead(): boolean {
    return [...this].some((cursor) => cursor.isAhead);
  }

  /** Backlog of the log, in events that are neither skipped nor recorded. @param newest end of the log */
  lag(newest: number): number {
    const ofLog = [...this].filter(({ until }) => until === undefined);
    return Math.max(0, ...ofLog.map((cursor) => newest - cursor.positionWith(new Set())));
  }

  /** The positions that are true once these attempts are stored. */
  positionsWith(attempts: readonly Attempt[]): readonly CursorPosition[] {
    return [...this].map((cursor) => {
      const position = cursor.positionWith(sequencesOf(attempts, cursor.id));
      return { id: cursor.id, position, isOver: cursor.isOver(position) };
    });
  }

  stored(attempts: readonly Attempt[], positions: readonly CursorPosition[]): void {
    for (const { id, position, isOver } of positions) {
      this.#byId.get(id)?.stored(sequencesOf(attempts, id), position);
      if (isOver) this.#byId.delete(id);
    }
  }
}

function sequencesOf(attempts: readonly Attempt[], cursor: string): ReadonlySet<number> {
  return new Set(attempts.flatMap(({ task }) => (task.cursor === cursor && !task.row ? [task.sequence] : [])));
}
