/** Limits the number of jobs that run at once: in total, or for each key. Jobs start in order of arrival. */

export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param slots number of jobs that run at once */
  constructor(slots: number) {
    this.#free = slots;
  }

  /** Jobs that wait for a slot. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs `job` as soon as a slot is free, without a wait when one is free now; returns its result. */
  async run<T>(job: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await job();
    } finally {
      // Pass the slot directly to the next waiting job, so that a later arrival cannot take it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

export class KeyedSemaphore {
  readonly #slots: number;
  readonly #keys = new Map<string, { readonly semaphore: Semaphore; users: number }>();

  /** @param slots number of jobs of one key that run at once */
  constructor(slots: number) {
    this.#slots = slots;
  }

  /** Number of keys with a running or waiting job. */
  get size(): number {
    return this.#keys.size;
  }

  /** Runs `job` as soon as its key has a free slot; returns its result. */
  async run<T>(key: string, job: () => Promise<T>): Promise<T> {
    const own = this.#keys.get(key) ?? { semaphore: new Semaphore(this.#slots), users: 0 };
    this.#keys.set(key, own);
    own.users += 1;
    try {
      return await own.semaphore.run(job);
    } finally {
      own.users -= 1;
      if (own.users === 0) this.#keys.delete(key);
    }
  }
}
