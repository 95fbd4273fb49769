/**
 * Estimates when requests arrived. After a standstill (a process stopped by a signal, or frozen with its machine) requests that
 * arrived meanwhile are read as if they were new; they are dated to the beginning of the standstill, the earliest possible time.
 */
import { type Clock, every, type Timer } from "@porchlight/shared/kernel";

const TICK_MS = 250;
/** A tick that is so late means a standstill, not a busy loop, ms. */
const STANDSTILL_MS = 1_500;
/** Time after a standstill by which all requests that arrived during it have been read, ms. */
const READ_MS = 1_500;

export class Arrivals implements Disposable {
  readonly #clock: Clock;
  readonly #timer: Timer;
  #tickedAt: number;
  /** The latest standstill. Monotonic, ms. */
  #stood = { from: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY };

  private constructor(clock: Clock) {
    this.#clock = clock;
    this.#tickedAt = clock.monotonic();
    this.#timer = every(clock, "standstill", TICK_MS, () => this.#tick());
  }

  static start(clock: Clock): Arrivals {
    return new Arrivals(clock);
  }

  /** The earliest time at which a request that is read now can have arrived, monotonic ms. */
  arrival(): number {
    // Ticks here too: after a standstill a socket can fire before the timer.
    const now = this.#tick();
    return now < this.#stood.until + READ_MS ? this.#stood.from : now;
  }

  /** Time since the arrival, ms. */
  since(arrival: number): number {
    return this.#clock.monotonic() - arrival;
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
  }

  #tick(): number {
    const now = this.#clock.monotonic();
    if (now - this.#tickedAt > STANDSTILL_MS) this.#stood = { from: this.#tickedAt, until: now };
    this.#tickedAt = now;
    return now;
  }
}
