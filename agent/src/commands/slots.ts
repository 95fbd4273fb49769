/** Bounds what runs at once, over all and on one device, so that a device that answers slowly holds up only itself. */

export interface SlotLimits {
  readonly total: number;
  readonly perDevice: number;
}

/** A counting semaphore that serves in order of arrival. */
class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(free: number) {
    this.#free = free;
  }

  /** Takes a free slot; false when there is none. While somebody waits, none is free. */
  take(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Settles when a slot is handed over. */
  turn(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The slot goes from hand to hand when somebody waits for it. */
  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

export class Slots {
  readonly #limits: SlotLimits;
  readonly #all: Semaphore;
  readonly #devices = new Map<string, { readonly semaphore: Semaphore; users: number }>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#all = new Semaphore(limits.total);
  }

  /** Runs `job` as soon as there is a slot for the device, and one over all. */
  async run<T>(device: string, job: () => Promise<T>): Promise<T> {
    const own = this.#devices.get(device) ?? { semaphore: new Semaphore(this.#limits.perDevice), users: 0 };
    this.#devices.set(device, own);
    own.users += 1;
    // The device's own first: what waits for a slow device must not hold a slot that others could use.
    if (!own.semaphore.take()) await own.semaphore.turn();
    if (!this.#all.take()) await this.#all.turn();
    try {
      return await job();
    } finally {
      this.#all.release();
      own.semaphore.release();
      own.users -= 1;
      if (own.users === 0) this.#devices.delete(device);
    }
  }
}
