/** Runs jobs one after another for each key, and side by side for different keys. */

export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Keys with a job running or waiting. */
  get size(): number {
    return this.#tails.size;
  }

  /** Runs `job` after every earlier job of the same key has ended, well or badly; gives what it gives. */
  run<T>(key: string, job: () => Promise<T>): Promise<T> {
    const tail = this.#tails.get(key);
    const result = tail === undefined ? job() : tail.then(job, job);
    this.#tails.set(key, result);
    const forget = () => {
      if (this.#tails.get(key) === result) this.#tails.delete(key);
    };
    result.then(forget, forget);
    return result;
  }
}
