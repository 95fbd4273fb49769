/** A timer that is moved often and seldom matters: it is only ever pulled forward, and its owner looks again when it rings too early. */
import type { Clock, Timer } from "@porchlight/shared/kernel";

export class Alarm {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #ring: () => void;
  #timer: Timer | undefined;
  #ringsAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, name: string, ring: () => void) {
    this.#clock = clock;
    this.#name = name;
    this.#ring = ring;
  }

  /** Rings at `at`, monotonic ms, or before. */
  ringBy(at: number): void {
    if (this.#ringsAt <= at) return;
    this.#timer?.cancel();
    this.#ringsAt = at;
    this.#timer = this.#clock.timer(this.#name, at - this.#clock.monotonic(), () => {
      this.#ringsAt = Number.POSITIVE_INFINITY;
      this.#ring();
    });
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#ringsAt = Number.POSITIVE_INFINITY;
  }
}
