/** Tracks background tasks, so that their owner can wait until none is running. */

export class TaskSet {
  readonly #running = new Set<Promise<unknown>>();

  /** Number of running tasks. */
  get size(): number {
    return this.#running.size;
  }

  /** Returns the task's result after the task is removed from the set. The caller handles a failure. */
  add<T>(task: Promise<T>): Promise<T> {
    const running = task.finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  /** Resolves when no task is running, including those added meanwhile, whether they succeeded or failed. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}
