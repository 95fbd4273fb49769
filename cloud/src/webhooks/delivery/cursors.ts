/** How far one webhook has come in the log, and in the parts of it that it is sent again: all its cursors, as its worker reads and records. */
import type { Sql } from "../../store/index.ts";
import { Cursor } from "../log/cursor.ts";
import { recordedSequences } from "../rows/delivery-store.ts";
import { cursorsOf } from "../rows/webhook-store.ts";
import type { Attempt, CursorPosition } from "./recording.ts";

export class Cursors {
  readonly #ecosystemId: string;
  readonly #webhookId: string;
  readonly #byId = new Map<string, Cursor>();

  constructor(ecosystemId: string, webhookId: string) {
    this.#ecosystemId = ecosystemId;
    this.#webhookId = webhookId;
  }

  /** Those of the store: new replays, and a log that must be followed from somewhere else. */
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

  /** Whether the store does not know how far it has come. */
  get isAhead(): boolean {
    return [...this].some((cursor) => cursor.isAhead);
  }

  /** Events of the log that it has not passed or recorded. @param newest how far the log goes */
  lag(newest: number): number {
    const ofLog = [...this].filter(({ until }) => until === undefined);
    return Math.max(0, ...ofLog.map((cursor) => newest - cursor.positionWith(new Set())));
  }

  /** How far they may be said to have come, once these are stored. */
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
