/**
 * When requests came. A process that has stood still (stopped by a signal, frozen with its machine) reads what has come meanwhile
 * as if it were new: for all it can know, that came when it stopped.
 */
import { type Clock, every, type Timer } from "@porchlight/shared/kernel";

const TICK_MS = 250;
/** A tick that is so late is no loop that is busy, ms. */
const STANDSTILL_MS = 1_500;
/** What came meanwhile has been read so long after the process goes on, ms. */
const READ_MS = 1_500;

export class Arrivals implements Disposable {
  readonly #clock: Clock;
  readonly #timer: Timer;
  #tickedAt: number;
  /** The last standstill. Monotonic, ms. */
  #stood = { from: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY };

  private constructor(clock: Clock) {
    this.#clock = clock;
    this.#tickedAt = clock.monotonic();
    this.#timer = every(clock, "standstill", TICK_MS, () => this.#tick());
  }

  static start(clock: Clock): Arrivals {
    return new Arrivals(clock);
  }

  /** When a request that is being read now came, monotonic ms: at the earliest that it can have been. */
  arrival(): number {
    // Whether a timer or a socket is the first to find out hangs on where the process stood still.
    const now = this.#tick();
    return now < this.#stood.until + READ_MS ? this.#stood.from : now;
  }

  /** How long ago that was, ms. */
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
