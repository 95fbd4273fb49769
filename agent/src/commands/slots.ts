/** Bounds what runs at once, over all and on one device, so that a device that answers slowly holds up only itself. */
import { KeyedSemaphore, Semaphore } from "@porchlight/shared/kernel";

export interface SlotLimits {
  readonly total: number;
  readonly perDevice: number;
}

export class Slots {
  readonly #all: Semaphore;
  readonly #devices: KeyedSemaphore;

  constructor({ total, perDevice }: SlotLimits) {
    this.#all = new Semaphore(total);
    this.#devices = new KeyedSemaphore(perDevice);
  }

  /** Runs `job` as soon as there is a slot for the device, and one over all. */
  run<T>(device: string, job: () => Promise<T>): Promise<T> {
    // The device's own first: what waits for a slow device must not hold a slot that others could use.
    return this.#devices.run(device, () => this.#all.run(job));
  }
}
