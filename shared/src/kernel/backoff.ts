/** How long to wait before trying again: full-jitter exponential backoff that is forgiven only after a stable while. */
import type { Random } from "./random.ts";

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
  #failures = 0;

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
    if (lastedMs >= this.#policy.stableMs) this.#failures = 0;
    const bound = Math.min(this.#policy.capMs, this.#policy.firstMs * 2 ** Math.min(this.#failures, 30));
    this.#failures += 1;
    return atLeastMs + this.#random.fraction() * bound;
  }

  /** Starts from the short end again, as after being sent away politely. */
  reset(): void {
    this.#failures = 0;
  }
}
