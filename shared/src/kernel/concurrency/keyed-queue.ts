/** Runs jobs of one key one after another, and jobs of different keys side by side. */

export class KeyedQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Number of keys with a running or waiting job. */
  get size(): number {
    return this.#tails.size;
  }

  /** Runs `job` after every earlier job of the same key has settled; returns its result. */
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
