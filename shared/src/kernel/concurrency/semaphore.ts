/** Bounds how many jobs run at once: over all, or of each key. Jobs are served in order of arrival. */

export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param slots jobs that run at once */
  constructor(slots: number) {
    this.#free = slots;
  }

  /** Runs `job` as soon as there is a slot, without a wait when there is one now; gives what it gives. */
  async run<T>(job: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await job();
    } finally {
      // While a job waits the slot goes from hand to hand, so that none that arrives later can take it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}

export class KeyedSemaphore {
  readonly #slots: number;
  readonly #keys = new Map<string, { readonly semaphore: Semaphore; users: number }>();

  /** @param slots jobs of one key that run at once */
  constructor(slots: number) {
    this.#slots = slots;
  }

  /** Keys with a job that runs or waits. */
  get size(): number {
    return this.#keys.size;
  }

  /** Runs `job` as soon as its key has a slot; gives what it gives. */
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
