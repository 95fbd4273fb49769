/** The positions of one webhook in the log and in its replays. */
import type { Sql } from "../../store/index.ts";
import { Cursor } from "../cursor.ts";
import { recordedSequences } from "../delivery-store.ts";
import { cursorsOf } from "../webhook-store.ts";
import type { Attempt, CursorPosition } from "./recording.ts";

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
