/**
 * Groups many writes into one commit: jobs wait briefly for each other and share a transaction, because the commit costs the
 * time and wears out flash. This file does not depend on what the jobs write.
 *
 * Invariants: jobs run in the order given, each to its end before the next; a caller's promise settles only after the commit that
 * holds its write; a job that fails takes no other with it, and its caller receives the error.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";

/** Maximum jobs in one transaction, so that a flood does not block the event loop. */
const LARGEST_GROUP = 500;

interface Waiting {
  readonly job: () => unknown;
  resolve(): void;
  reject(reason: unknown): void;
}

/** Runs `work` in one transaction: commits it, or rolls it back and throws what it threw. */
export type Transact = (work: () => void) => void;

/** The store is closed; waiting jobs are not written. */
export class StoreClosed extends Error {
  constructor() {
    super("the hub's store is closed");
  }
}

export class GroupCommit {
  readonly #transact: Transact;
  readonly #clock: Clock;
  #waiting: Waiting[] = [];
  #timer: { readonly timer: Timer; readonly due: number } | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #closed = false;

  constructor(transact: Transact, clock: Clock) {
    this.#transact = transact;
    this.#clock = clock;
  }

  /**
   * Runs `job` in a transaction and resolves after its commit. The job may run twice (the second time alone, when its group
   * failed), so it must do nothing but SQL.
   * @param withinMs how long it may wait for others; 0: until the end of this turn of the loop
   * @throws what the job or the commit threw, StoreClosed
   */
  run<T>(withinMs: number, job: () => T): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreClosed());
    return new Promise<T>((resolve, reject) => {
      // A job's result reaches only its own caller, so that the declared type is right.
      let result: T;
      this.#waiting.push({
        job: () => {
          result = job();
        },
        resolve: () => resolve(result),
        reject,
      });
      this.#schedule(withinMs);
    });
  }

  /** Commits all waiting jobs now. */
  flush(): void {
    this.#unschedule();
    while (this.#waiting.length > 0) this.#commit(this.#waiting.splice(0, LARGEST_GROUP));
  }

  /** Commits all waiting jobs and accepts no more. */
  close(): void {
    this.flush();
    this.#closed = true;
  }

  /** Accepts no more jobs and writes nothing, as when the process is killed. */
  abandon(): void {
    this.#unschedule();
    this.#closed = true;
    const lost = this.#waiting;
    this.#waiting = [];
    for (const { reject } of lost) reject(new StoreClosed());
  }

  #schedule(withinMs: number): void {
    if (this.#immediate) return;
    if (withinMs <= 0) {
      this.#immediate = setImmediate(() => this.#flushOne());
      return;
    }
    const due = this.#clock.monotonic() + withinMs;
    if (this.#timer && this.#timer.due <= due) return;
    this.#timer?.timer.cancel();
    this.#timer = { due, timer: this.#clock.timer("group commit", withinMs, () => this.#flushOne()) };
  }

  #unschedule(): void {
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    if (this.#immediate) clearImmediate(this.#immediate);
    this.#immediate = undefined;
  }

  /** Commits one group per turn of the loop: jobs beyond the largest group wait for the next turn. */
  #flushOne(): void {
    this.#unschedule();
    this.#commit(this.#waiting.splice(0, LARGEST_GROUP));
    if (this.#waiting.length > 0) this.#schedule(0);
  }

  #commit(group: readonly Waiting[]): void {
    if (group.length === 0) return;
    try {
      this.#transact(() => {
        for (const { job } of group) job();
      });
    } catch {
      // Each job is tried alone to find the one that failed; a second failure rejects its caller's promise.
      for (const one of group) this.#commitAlone(one);
      return;
    }
    for (const { resolve } of group) resolve();
  }

  #commitAlone(one: Waiting): void {
    try {
      this.#transact(() => void one.job());
      one.resolve();
    } catch (failure) {
      one.reject(failure);
    }
  }
}
