/** Runs jobs under a rule: so many at once, one after another for each key, or in rounds. */

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

/**
 * Runs rounds of work one at a time: requests that arrive during a round are served by one more round.
 *
 * Invariant: the last check for new requests and the end are one step, so that no request can arrive between them and be forgotten.
 */
export class Rounds {
  readonly #round: () => Promise<void>;
  #asked = false;
  #ended = false;
  #running: Promise<void> | undefined;

  /** @param round handles its own failures; if it throws, the requested rounds end, and callers that wait for them get the error */
  constructor(round: () => Promise<void>) {
    this.#round = round;
  }

  /**
   * Requests a round. Settles when a round that began after this call, and every round requested meanwhile, has ended; at once when no
   * more rounds begin.
   */
  ask(): Promise<void> {
    this.#asked = true;
    if (this.#running !== undefined) return this.#running;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#running = promise;
    this.#run().then(resolve, reject);
    return promise;
  }

  /** Undefined when no round runs; settles with the last of the requested rounds. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Whether rounds have been ended: a long round checks it in between. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Begins no more rounds. Settles when the current one has ended. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#asked && !this.#ended) {
        this.#asked = false;
        await this.#round();
      }
    } finally {
      this.#running = undefined;
    }
  }
}
