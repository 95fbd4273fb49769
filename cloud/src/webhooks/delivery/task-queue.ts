/** The tasks of one webhook, and which may start next: retries and new events alternate, events of one key go one after another. */
import type { LoggedEvent } from "../../events/index.ts";
import type { DeliveryRow } from "../../store/index.ts";
import { orderKey } from "../replay.ts";

/** One thing to send: an event that a cursor has reached, or a delivery to be retried. */
export interface Task {
  /** Undefined before the first attempt, which creates the row. */
  readonly row: DeliveryRow | undefined;
  readonly cursor: string | undefined;
  readonly sequence: number;
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
  /** Tasks with the same key go one after another; a retry is independent of them. */
  readonly key: string | undefined;
}

export function eventTask(cursor: string, event: LoggedEvent): Task {
  const { sequence, id: eventId, type, text: body } = event;
  return { row: undefined, cursor, sequence, eventId, type, body, key: `${cursor} ${orderKey(event.data)}` };
}

export function repeatTask(row: DeliveryRow): Task {
  const { sequence, event_id: eventId, type, body } = row;
  return { row, cursor: undefined, sequence, eventId, type, body, key: undefined };
}

/** Whether it may be retried: a test may not, because a user waits for its result. */
export function isRepeated({ row, type }: Task): boolean {
  return row?.cursor !== null || type !== "webhook.test";
}

export class TaskQueue {
  readonly #repeats: Task[] = [];
  readonly #events: Task[] = [];
  /** Keys with an event in flight. */
  readonly #busy = new Set<string>();
  #lastWasRepeat = false;

  get size(): number {
    return this.#repeats.length + this.#events.length;
  }

  add(task: Task): void {
    if (task.row) this.#repeats.push(task);
    else this.#events.push(task);
  }

  /** Takes the next task that may start; its key is busy from now on. */
  take(): Task | undefined {
    const task = this.#lastWasRepeat
      ? (this.#takeEvent() ?? this.#repeats.shift())
      : (this.#repeats.shift() ?? this.#takeEvent());
    if (!task) return undefined;
    this.#lastWasRepeat = task.row !== undefined;
    if (task.key !== undefined) this.#busy.add(task.key);
    return task;
  }

  /** Number of tasks that may start now, counted up to `most`. */
  ready(most: number): number {
    let count = Math.min(most, this.#repeats.length);
    const keys = new Set(this.#busy);
    for (const { key } of this.#events) {
      if (count >= most) break;
      if (key !== undefined && keys.has(key)) continue;
      if (key !== undefined) keys.add(key);
      count += 1;
    }
    return count;
  }

  /** The task is no longer in flight. */
  done({ key }: Task): void {
    if (key !== undefined) this.#busy.delete(key);
  }

  /** Removes and returns all tasks that have not started. */
  clear(): readonly Task[] {
    return [...this.#repeats.splice(0), ...this.#events.splice(0)];
  }

  #takeEvent(): Task | undefined {
    const at = this.#events.findIndex(({ key }) => key === undefined || !this.#busy.has(key));
    return at < 0 ? undefined : this.#events.splice(at, 1)[0];
  }
}
