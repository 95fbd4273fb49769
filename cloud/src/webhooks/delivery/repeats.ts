/** The retries of one webhook. */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import type { Store } from "../../store/index.ts";
import { dueDeliveries, nextDue } from "../delivery-store.ts";
import { repeatTask, type Task } from "./task-queue.ts";

/** The retries of one webhook: read from the store when they are due, and open at most once at a time. */
interface RepeatsDeps {
  readonly store: Store;
  readonly clock: Clock;
}

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
