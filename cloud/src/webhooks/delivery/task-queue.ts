/** The tasks of one webhook, and which may start next: retries and new events alternate, events of one key go one after another. */

import type { Clock, Timer } from "@porchlight/shared/kernel";
import type { LoggedEvent } from "../../events/index.ts";
import type { DeliveryRow, Store } from "../../store/index.ts";
import { dueDeliveries, nextDue } from "../delivery-store.ts";
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

function repeatTask(row: DeliveryRow): Task {
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

/** The retries of one webhook: read from the store when they are due, and open at most once at a time. */
interface RepeatsDeps {
  readonly store: Store;
  readonly clock: Clock;
}

/** The retries of one webhook. */
export class Repeats {
  readonly #deps: RepeatsDeps;
  readonly #ecosystemId: string;
  readonly #webhookId: string;
  readonly #onDue: () => void;
  /** Deliveries with a row that are queued, in flight or not yet stored. */
  readonly #open = new Set<string>();
  #hasMore = false;
  #timer: Timer | undefined;

  /** @param onDue called when another retry is due */
  constructor(deps: RepeatsDeps, ecosystemId: string, webhookId: string, onDue: () => void) {
    this.#deps = deps;
    this.#ecosystemId = ecosystemId;
    this.#webhookId = webhookId;
    this.#onDue = onDue;
  }

  /** Whether more retries are due than there was room for. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Whether a retry is scheduled. */
  get areComing(): boolean {
    return this.#timer !== undefined;
  }

  /** The due retries that are not open; they become open. @param room maximum number @throws "Service Unavailable" */
  async look(room: number): Promise<Task[]> {
    const { store, clock } = this.#deps;
    const { sql } = store.of(this.#ecosystemId);
    const now = clock.now();
    // A retry recorded during the query may still be found in its earlier state.
    const open = new Set(this.#open);
    const limit = room + open.size;
    const due = await dueDeliveries(sql, this.#ecosystemId, this.#webhookId, now, limit);
    this.#hasMore = due.length === limit;
    const found = due.filter(({ id }) => !open.has(id)).slice(0, room);
    for (const { id } of found) this.#open.add(id);
    const next = await nextDue(sql, this.#ecosystemId, this.#webhookId, now);
    this.end();
    this.#timer = next === undefined ? undefined : clock.timer("webhook retry", next - clock.now(), this.#onDue);
    return found.map(repeatTask);
  }

  /** The task is stored, or was dropped before its start. */
  done({ row }: Task): void {
    if (row) this.#open.delete(row.id);
  }

  end(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
