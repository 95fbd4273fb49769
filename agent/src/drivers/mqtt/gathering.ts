/** When descriptions are looked at: they come in bursts, and making devices of all of them costs more than hearing one. */
import type { Clock, Timer } from "@porchlight/shared/kernel";

/** After the first description of a burst, ms. */
const SHORTEST_MS = 50;
/** Between two looks while descriptions keep coming, ms: a publisher that never rests costs the hub a look every few seconds. */
const LONGEST_MS = 3200;

export class Gathering {
  readonly #clock: Clock;
  readonly #look: () => void;
  #waitMs = SHORTEST_MS;
  #timer: Timer | undefined;
  /** When was last looked, monotonic ms. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, look: () => void) {
    this.#clock = clock;
    this.#look = look;
  }

  /** Something was described. */
  note(): void {
    if (this.#timer) return;
    const isBurst = this.#clock.monotonic() - this.#lookedAt < this.#waitMs;
    this.#waitMs = isBurst ? Math.min(this.#waitMs * 2, LONGEST_MS) : SHORTEST_MS;
    this.#timer = this.#clock.timer("descriptions of devices", this.#waitMs, () => {
      this.#timer = undefined;
      this.#lookedAt = this.#clock.monotonic();
      this.#look();
    });
  }

  clear(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
