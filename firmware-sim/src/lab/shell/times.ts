/** Durations of requests by kind, and the number of those that failed. */

/** Figures about the durations of a kind. */
export const FIGURES = ["median", "p90", "p99", "p99.9", "most"] as const;
export type TimesFigure = (typeof FIGURES)[number];

export interface KindTimes extends Readonly<Record<TimesFigure, number | undefined>> {
  readonly kind: string;
  readonly requests: number;
  readonly tries: number;
  /** Number of tries without an answer. */
  readonly lost: number;
  /** Number of requests of which no try was answered. */
  readonly unanswered: number;
  /** Number of requests answered with ERROR. */
  readonly errors: number;
}

/** How a request ended. */
export interface RequestTime {
  /** Time from the first try to the answer, ms; undefined when no try was answered. */
  readonly ms: number | undefined;
  readonly tries: number;
  /** Whether the answer was an ERROR. */
  readonly isError: boolean;
}

interface Kind {
  requests: number;
  tries: number;
  lost: number;
  errors: number;
  readonly latency: Latency;
}

export class Times {
  readonly #kinds = new Map<string, Kind>();

  add(name: string, { ms, tries, isError }: RequestTime): void {
    const kind = this.#kinds.get(name) ?? { requests: 0, tries: 0, lost: 0, errors: 0, latency: new Latency() };
    this.#kinds.set(name, kind);
    kind.requests += 1;
    kind.tries += tries;
    kind.lost += ms === undefined ? tries : tries - 1;
    if (isError) kind.errors += 1;
    if (ms !== undefined) kind.latency.add(ms);
  }

  get all(): readonly KindTimes[] {
    return [...this.#kinds].map(([name, { requests, tries, lost, errors, latency }]) => ({
      ...{ kind: name, requests, tries, lost, unanswered: requests - latency.count, errors },
      ...{ median: latency.at(0.5), p90: latency.at(0.9), p99: latency.at(0.99), "p99.9": latency.at(0.999) },
      most: latency.most,
    }));
  }
}

/**
 * Upper bound of the first bucket, ms. Buckets grow by one percent each, so that a run of hours needs as little memory as one of a
 * minute.
 */
const LEAST = 0.01;
const GROWTH = Math.log(1.01);

export class Latency {
  #count = 0;
  #most = 0;
  readonly #buckets = new Map<number, number>();

  /** Number of values. */
  get count(): number {
    return this.#count;
  }

  /** The exact maximum; undefined when there is no value. */
  get most(): number | undefined {
    return this.#count === 0 ? undefined : this.#most;
  }

  add(ms: number): void {
    const bucket = ms <= LEAST ? 0 : Math.ceil(Math.log(ms / LEAST) / GROWTH);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count += 1;
    this.#most = Math.max(this.#most, ms);
  }

  /** The value that this share of all values does not exceed, at most one percent too high; undefined when there is no value. */
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
