/**
 * Waits between retries: exponential backoff with full jitter, which resets only after a stable period.
 *
 * The bound grows with the time waited, not with the number of tries, so that a client that by chance has tried often in a short time
 * is not the last to reconnect. It doubles with each wait of maximum length.
 */
import type { Random } from "../ids.ts";

export interface BackoffPolicy {
  /** Upper bound of the first wait, ms. */
  readonly firstMs: number;
  /** Upper bound of every wait, ms. */
  readonly capMs: number;
  /** How long a success must last before the next failure starts again at the first bound, ms. */
  readonly stableMs: number;
}

export class Backoff {
  readonly #policy: BackoffPolicy;
  readonly #random: Random;
  /** Random waits since the last reset, ms; time that the other side requested does not count. */
  #waitedMs = 0;

  constructor(policy: BackoffPolicy, random: Random) {
    this.#policy = policy;
    this.#random = random;
  }

  /**
   * The wait before the next try, ms.
   * @param lastedMs how long the last success lasted (0 when there was none)
   * @param atLeastMs what the other side requested (`retry-after`)
   */
  next(lastedMs: number, atLeastMs = 0): number {
    if (lastedMs >= this.#policy.stableMs) this.reset();
    const bound = Math.min(this.#policy.capMs, this.#policy.firstMs + this.#waitedMs);
    const wait = this.#random.fraction() * bound;
    this.#waitedMs += wait;
    return atLeastMs + wait;
  }

  /** Starts again at the first bound, for example after an orderly close. */
  reset(): void {
    this.#waitedMs = 0;
  }
}
