/** The service `Identify` of one device, which the hub implements itself: whether it is active, and when that ends. */
import type { Clock, Timer } from "@porchlight/shared/kernel";

/** How long `active: true` lasts, seconds. DP5, "Devices". */
export const IDENTIFY_SECONDS = 30;

export class Identify {
  readonly #clock: Clock;
  readonly #report: (active: boolean) => void;
  #ends: Timer | undefined;

  /** @param report reports to the host that `active` has changed by itself */
  constructor(clock: Clock, report: (active: boolean) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  get isActive(): boolean {
    return this.#ends !== undefined;
  }

  /** The device has accepted an IDENTIFY. */
  set(active: boolean): void {
    this.stop();
    if (!active) return;
    this.#ends = this.#clock.timer("end of identifying", IDENTIFY_SECONDS * 1000, () => this.reset());
  }

  /** The identification has ended, or the device has just arrived. */
  reset(): void {
    this.stop();
    this.#report(false);
  }

  /** Ends without a report: the device has left. */
  stop(): void {
    this.#ends?.cancel();
    this.#ends = undefined;
  }
}
