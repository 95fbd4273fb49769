/**
 * How long to wait before trying again: full-jitter exponential backoff that is forgiven only after a stable while.
 *
 * The bound grows with the time that was waited, not with the number of tries: a client that has tried often in a short while by chance
 * is not the last to be back for it. It doubles with each wait that is as long as it can be.
 */
import type { Random } from "../ids/ids.ts";

export interface BackoffPolicy {
  /** Upper bound of the first wait, ms. */
  readonly firstMs: number;
  /** Upper bound of every wait, ms. */
  readonly capMs: number;
  /** How long a success must last before the next failure starts from the short end again, ms. */
  readonly stableMs: number;
}

export class Backoff {
  readonly #policy: BackoffPolicy;
  readonly #random: Random;
  /** By chance, since the short end; what the other side asked for does not count. ms. */
  #waitedMs = 0;

  constructor(policy: BackoffPolicy, random: Random) {
    this.#policy = policy;
    this.#random = random;
  }

  /**
   * The wait before the next try, ms.
   * @param lastedMs how long what just ended had worked (0 when it never did)
   * @param atLeastMs what the other side asked for (`retry-after`)
   */
  next(lastedMs: number, atLeastMs = 0): number {
    if (lastedMs >= this.#policy.stableMs) this.reset();
    const bound = Math.min(this.#policy.capMs, this.#policy.firstMs + this.#waitedMs);
    const wait = this.#random.fraction() * bound;
    this.#waitedMs += wait;
    return atLeastMs + wait;
  }

  /** Starts from the short end again, as after being sent away politely. */
  reset(): void {
    this.#waitedMs = 0;
  }
}
