/** Tasks that run in the background: who ends them waits until none is under way. */

export class TaskSet {
  readonly #running = new Set<Promise<unknown>>();

  /** How many are under way. */
  get size(): number {
    return this.#running.size;
  }

  /** Gives what the task gives, once it no longer counts as under way. A failure is the caller's to handle. */
  add<T>(task: Promise<T>): Promise<T> {
    const running = task.finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  /** Settles when none is under way, also none that was added meanwhile, however they ended. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}
