/** What one webhook must be tried with again: found in the store when it is due, and open at most once at a time. */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import type { Store } from "../../store/index.ts";
import { dueDeliveries, nextDue } from "../rows/delivery-store.ts";
import { repeatTask, type Task } from "./task-queue.ts";

export interface RepeatsDeps {
  readonly store: Store;
  readonly clock: Clock;
}

export class Repeats {
  readonly #deps: RepeatsDeps;
  readonly #ecosystemId: string;
  readonly #webhookId: string;
  readonly #onDue: () => void;
  /** Deliveries with a row that are queued, under way or not yet stored. */
  readonly #open = new Set<string>();
  #hasMore = false;
  #timer: Timer | undefined;

  /** @param onDue told when another has become due */
  constructor(deps: RepeatsDeps, ecosystemId: string, webhookId: string, onDue: () => void) {
    this.#deps = deps;
    this.#ecosystemId = ecosystemId;
    this.#webhookId = webhookId;
    this.#onDue = onDue;
  }

  /** Whether there is more to be tried now than there was room for. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Whether something must be tried later. */
  get areComing(): boolean {
    return this.#timer !== undefined;
  }

  /** What is due and not open yet, open from now on. @param room how many at most @throws "Service Unavailable" */
  async look(room: number): Promise<Task[]> {
    const { store, clock } = this.#deps;
    const { sql } = store.of(this.#ecosystemId);
    const now = clock.now();
    // What is recorded while the store looks may still be found as it was before.
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

  /** It is stored, or has not begun. */
  done({ row }: Task): void {
    if (row) this.#open.delete(row.id);
  }

  end(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
