/** Latencies of any number of requests in a few kilobytes: buckets that grow by one percent each, so that a run of hours needs no more than one of a minute. */

/** ms; what is quicker is in the first bucket. */
const LEAST = 0.01;
const GROWTH = Math.log(1.01);

export class Latency {
  #count = 0;
  #most = 0;
  readonly #buckets = new Map<number, number>();

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /** The largest, exactly; undefined when there is none. */
  get most(): number | undefined {
    return this.#count === 0 ? undefined : this.#most;
  }

  add(ms: number): void {
    const bucket = ms <= LEAST ? 0 : Math.ceil(Math.log(ms / LEAST) / GROWTH);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count += 1;
    this.#most = Math.max(this.#most, ms);
  }

  /** What that share of all is not slower than, at most one percent too large; undefined when there is none. */
  at(share: number): number | undefined {
    if (this.#count === 0) return undefined;
    const rank = Math.min(this.#count - 1, Math.floor(share * this.#count));
    let passed = 0;
    for (const [bucket, count] of [...this.#buckets].sort(([a], [b]) => a - b)) {
      passed += count;
      if (passed > rank) return Math.min(this.#most, LEAST * Math.exp(GROWTH * bucket));
    }
    return this.#most;
  }
}
