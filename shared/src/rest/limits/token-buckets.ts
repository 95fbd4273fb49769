/** Token buckets by key, at most so many. Pure in time, so that a table can test it. */
import { BoundedMap, type BucketRule, TokenBucket } from "../../kernel/index.ts";

export interface Taken {
  readonly admitted: boolean;
  /** Whole tokens that are left. */
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly fullIn: number;
  /** Whole seconds until there is one token, at least 1. */
  readonly retryAfter: number;
}

/** Keys kept, about 200 bytes each. */
const CAPACITY = 100_000;

export class TokenBuckets {
  readonly #rule: BucketRule;
  /** The key that was not used for longest is evicted, and begins anew with a full bucket. */
  readonly #buckets: BoundedMap<string, TokenBucket>;

  constructor(rule: BucketRule, capacity = CAPACITY) {
    this.#rule = rule;
    this.#buckets = new BoundedMap(capacity);
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Takes one token, if there is one. @param now monotonic, ms */
  take(key: string, now: number): Taken {
    const { perSecond, burst } = this.#rule;
    const bucket = this.of(key, now);
    const admitted = bucket.take(now);
    const left = bucket.level(now);
    return {
      admitted,
      remaining: Math.floor(left),
      fullIn: (burst - left) / perSecond,
      retryAfter: Math.max(1, Math.ceil((1 - left) / perSecond)),
    };
  }

  /** The bucket of a key. @param now monotonic, ms */
  of(key: string, now: number): TokenBucket {
    const bucket = this.#buckets.get(key) ?? new TokenBucket(this.#rule, now);
    this.#buckets.set(key, bucket);
    return bucket;
  }

  /** A full bucket says nothing that a new one would not. @param now monotonic, ms */
  forgetFull(now: number): void {
    for (const [key, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(key);
  }
}
