/**
 * A clock whose wall time is set right from outside, such as by a database that several processes share: between two
 * settings it runs on the monotonic clock, so that a jump of the machine's own wall clock moves nothing.
 */
import type { Clock, Timer } from "./clock.ts";

/** A reading that took longer says too little, ms. */
const MOST_DOUBT_MS = 250;

export class SteeredClock implements Clock {
  readonly #inner: Clock;
  /** Wall time less monotonic time, ms. */
  #offset: number;

  constructor(inner: Clock) {
    this.#inner = inner;
    this.#offset = inner.now() - inner.monotonic();
  }

  now(): number {
    return Math.floor(this.#inner.monotonic() + this.#offset);
  }

  monotonic(): number {
    return this.#inner.monotonic();
  }

  timer(name: string, ms: number, fire: () => void): Timer {
    return this.#inner.timer(name, ms, fire);
  }

  /**
   * It was `time` (wall clock, ms) somewhere between `asked` and `answered` (monotonic, ms). What lies within the doubt of
   * that is left as it is, and a reading that took too long is not used.
   */
  steer(time: number, asked: number, answered: number): void {
    const doubt = (answered - asked) / 2;
    if (doubt > MOST_DOUBT_MS) return;
    const offset = time - (asked + answered) / 2;
    if (Math.abs(offset - this.#offset) > doubt) this.#offset = offset;
  }
}
