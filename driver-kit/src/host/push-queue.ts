/**
 * Queues values and events that a device sends only once, until the hub has stored them.
 *
 * Invariants: pushes of one property are stored in order of arrival, each at most once; of values that wait, the newest survives; an
 * accepted event is never dropped.
 */
import { type Clock, type Random, randomInteger, sleep } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress } from "@porchlight/shared/model";
import type { Observation, PushResult, ReportSource } from "../contract/driver.ts";

export interface PushQueueDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** Commits a report; reports with the same source are committed at most once. */
  readonly report: (report: Observation, source: ReportSource) => Promise<"stored" | "repeated" | "busy" | "refused">;
}

interface Push {
  readonly report: Observation;
  readonly isEvent: boolean;
  readonly seq: number;
  readonly settle: (result: PushResult) => void;
}

/** Delay before a push that the hub had no room for is tried again, ms. */
export const PUSH_AGAIN_MS = 1000;
/** Maximum number of waiting events. */
export const MOST_EVENTS = 1000;

export class PushQueue implements Disposable {
  readonly #deps: PushQueueDeps;
  /** Stands in for the device's boot count: different in each run of the agent. */
  readonly #boot: number;
  /** By property; the first push of each queue is being stored. */
  readonly #queues = new Map<string, Push[]>();
  readonly #ending = new AbortController();
  #seq = 0;
  #events = 0;

  constructor(deps: PushQueueDeps) {
    this.#deps = deps;
    this.#boot = randomInteger(deps.random, 2 ** 32);
  }

  /** @param isEvent whether each push counts, as for a property that only notifies */
  push(report: Observation, isEvent: boolean): Promise<PushResult> {
    if (this.#ending.signal.aborted || (isEvent && this.#events >= MOST_EVENTS)) return Promise.resolve("busy");
    const { promise, resolve } = Promise.withResolvers<PushResult>();
    const push: Push = { report, isEvent, seq: this.#seq++, settle: resolve };
    if (isEvent) this.#events += 1;
    const key = `${report.device} ${addressKey(report)}`;
    const queue = this.#queues.get(key);
    if (!queue) {
      const started = [push];
      this.#queues.set(key, started);
      void this.#store(key, started);
      return promise;
    }
    if (!isEvent && queue.length > 1) queue.pop()?.settle("replaced");
    queue.push(push);
    return promise;
  }

  /** Whether a push of the property is being stored, or waits to be. */
  has(address: Pick<Observation, "device"> & PropertyAddress): boolean {
    return this.#queues.has(`${address.device} ${addressKey(address)}`);
  }

  /** Accepts no more pushes. Waiting pushes are answered `busy`; a push that is being stored gets the store's answer. */
  [Symbol.dispose](): void {
    this.#ending.abort();
    for (const [, ...waiting] of this.#queues.values()) for (const { settle } of waiting) settle("busy");
    this.#queues.clear();
  }

  async #store(key: string, queue: Push[]): Promise<void> {
    const { clock, report } = this.#deps;
    const { signal } = this.#ending;
    for (let push = queue[0]; push; push = queue[0]) {
      const source = { node: push.report.device, boot: this.#boot, seq: push.seq };
      // An error of the store means that the report is not stored either.
      const result = await report(push.report, source).catch(() => "busy" as const);
      const settled = result === "repeated" ? "stored" : result;
      if (signal.aborted) return push.settle(settled);
      if (result === "busy") {
        await sleep(clock, "push that is stored again", PUSH_AGAIN_MS, signal).catch(() => undefined);
        if (signal.aborted) return push.settle("busy");
        if (!push.isEvent && queue.length > 1) queue.shift()?.settle("replaced");
        continue;
      }
      queue.shift();
      if (push.isEvent) this.#events -= 1;
      push.settle(settled);
    }
    this.#queues.delete(key);
  }
}
