/** Token buckets by key, at most so many: what every rate limit is made of. Pure in time, so that a table can test it. */
import { RecentMap } from "../kernel/index.ts";

export interface BucketRule {
  /** How fast a bucket fills, a second. */
  readonly perSecond: number;
  /** How much it holds: what may come at once. */
  readonly burst: number;
}

export interface Taken {
  readonly admitted: boolean;
  /** Whole tokens that are left. */
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly fullIn: number;
  /** Whole seconds until there is one token, at least 1. */
  readonly retryAfter: number;
}

interface Bucket {
  tokens: number;
  /** Monotonic ms. */
  at: number;
}

/** Keys kept in each of the two generations, about 150 bytes each. */
const CAPACITY = 50_000;

export class TokenBuckets {
  readonly rule: BucketRule;
  /** A key that is forgotten begins anew, with a full bucket. */
  readonly #buckets: RecentMap<Bucket>;

  constructor(rule: BucketRule, capacity = CAPACITY) {
    this.rule = rule;
    this.#buckets = new RecentMap(capacity);
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Takes one token, if there is one. @param now monotonic, ms */
  take(key: string, now: number): Taken {
    const { perSecond, burst } = this.rule;
    const bucket = this.#filled(key, now);
    const admitted = bucket.tokens >= 1;
    if (admitted) bucket.tokens -= 1;
    return {
      admitted,
      remaining: Math.floor(bucket.tokens),
      fullIn: (burst - bucket.tokens) / perSecond,
      retryAfter: Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)),
    };
  }

  /** How much there is; below zero where more was spent than there was. @param now monotonic, ms */
  level(key: string, now: number): number {
    return this.#filled(key, now).tokens;
  }

  /** Takes any amount, also more than there is; what is less than nothing is given back. @param now monotonic, ms */
  spend(key: string, amount: number, now: number): void {
    this.#filled(key, now).tokens -= amount;
  }

  #filled(key: string, now: number): Bucket {
    const { perSecond, burst } = this.rule;
    const bucket = this.#buckets.get(key, () => ({ tokens: burst, at: now }));
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    return bucket;
  }
}
