/** A token bucket, the basis of every rate limit. It takes the time as a parameter, so that a table can test it. */

export interface BucketRule {
  /** Refill rate, tokens a second. */
  readonly perSecond: number;
  /** Capacity: the number of requests that may arrive at once. */
  readonly burst: number;
}

/** All times are monotonic ms. */
export class TokenBucket {
  readonly #rule: BucketRule;
  #tokens: number;
  #at: number;

  /** Starts full. */
  constructor(rule: BucketRule, now: number) {
    this.#rule = rule;
    this.#tokens = rule.burst;
    this.#at = now;
  }

  /** Number of tokens; negative when more was spent than was available. */
  level(now: number): number {
    const { perSecond, burst } = this.#rule;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
    return this.#tokens;
  }

  /** Whether the bucket is full, like a new one. */
  isFull(now: number): boolean {
    return this.level(now) >= this.#rule.burst;
  }

  /** Takes one token; returns false, and takes nothing, when less than one is available. */
  take(now: number): boolean {
    if (this.level(now) < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes any amount, also more than is available; a negative amount returns tokens. */
  spend(amount: number, now: number): void {
    this.#tokens = this.level(now) - amount;
  }

  /** Time until `amount` tokens are available, ms; 0 when they are. */
  waitFor(amount: number, now: number): number {
    return Math.max(0, ((amount - this.level(now)) / this.#rule.perSecond) * 1000);
  }
}
