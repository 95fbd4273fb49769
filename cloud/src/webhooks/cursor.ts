/** A webhook's position in the log, in memory: the events that were read, and those of them that are not recorded yet. */
import type { WebhookCursorRow } from "../store/index.ts";

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
