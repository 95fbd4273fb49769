/** A token bucket, which every rate limit is made of. Pure in time, so that a table can test it. */

export interface BucketRule {
  /** How fast a bucket fills, tokens a second. */
  readonly perSecond: number;
  /** How much it holds: what may come at once. */
  readonly burst: number;
}

/** All times are monotonic ms. */
export class TokenBucket {
  readonly #rule: BucketRule;
  #tokens: number;
  #at: number;

  /** Full. */
  constructor(rule: BucketRule, now: number) {
    this.#rule = rule;
    this.#tokens = rule.burst;
    this.#at = now;
  }

  /** How many tokens there are; below zero where more was spent than there was. */
  level(now: number): number {
    const { perSecond, burst } = this.#rule;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
    return this.#tokens;
  }

  /** Whether it is as a new one. */
  isFull(now: number): boolean {
    return this.level(now) >= this.#rule.burst;
  }

  /** Takes one token; false, and none is taken, when there is no whole one. */
  take(now: number): boolean {
    if (this.level(now) < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes any amount, also more than there is; a negative amount is given back. */
  spend(amount: number, now: number): void {
    this.#tokens = this.level(now) - amount;
  }

  /** After how many ms there is as much as `amount`; 0 when there is. */
  waitFor(amount: number, now: number): number {
    return Math.max(0, ((amount - this.level(now)) / this.#rule.perSecond) * 1000);
  }
}
