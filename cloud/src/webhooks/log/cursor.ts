/** How far a webhook has come in the log, in memory: what was read, and what of that is not recorded yet. */
import type { WebhookCursorRow } from "../../store/index.ts";

export class Cursor {
  readonly id: string;
  /** Last sequence of a replay; undefined for the log itself, which has no end. */
  readonly until: number | undefined;
  /** Read up to here. */
  #read: number;
  /** As the store has it. */
  #stored: number;
  /** Read and wanted, and not recorded. */
  readonly #open = new Set<number>();
  /** Recorded by an earlier process, past the position that it could store. */
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

  /** Whether there is nothing more to read, ever. */
  get isRead(): boolean {
    return this.until !== undefined && this.#read >= this.until;
  }

  /** Passes over an event; whether it must be sent. */
  pass(sequence: number, isWanted: boolean): boolean {
    this.#read = Math.max(this.#read, sequence);
    if (!isWanted || this.#recorded.delete(sequence)) return false;
    this.#open.add(sequence);
    return true;
  }

  /** What stands before that is none of its: it was told to begin later, or the log keeps it no more. */
  skipTo(sequence: number): void {
    this.#read = Math.max(this.#read, sequence);
  }

  /** It has begun nothing of what it had read, and reads it again when it is wanted. */
  forget(sequences: readonly number[]): void {
    for (const sequence of sequences) this.#open.delete(sequence);
  }

  /** The position that the store may hold once these are recorded too. */
  positionWith(recorded: ReadonlySet<number>): number {
    let position = this.#read;
    for (const sequence of this.#open) if (!recorded.has(sequence)) position = Math.min(position, sequence - 1);
    return position;
  }

  /** They are recorded, and the position is stored. */
  stored(recorded: ReadonlySet<number>, position: number): void {
    for (const sequence of recorded) this.#open.delete(sequence);
    this.#stored = Math.max(this.#stored, position);
  }

  /** Whether the store does not know how far it has come. */
  get isAhead(): boolean {
    return this.positionWith(new Set()) > this.#stored;
  }

  /** Whether all of a replay has been tried. */
  isOver(position: number): boolean {
    return this.until !== undefined && position >= this.until;
  }
}
