/** How long requests took, by kind, and what became of those that took too long. */

/** What is told of the times of a kind. */
export const FIGURES = ["median", "p90", "p99", "p99.9", "most"] as const;
export type TimesFigure = (typeof FIGURES)[number];

export interface KindTimes extends Readonly<Record<TimesFigure, number | undefined>> {
  readonly kind: string;
  readonly requests: number;
  readonly tries: number;
  /** Tries that were not answered. */
  readonly lost: number;
  /** Requests of which no try was answered. */
  readonly unanswered: number;
  /** Requests that were answered with ERROR. */
  readonly errors: number;
}

/** How a request ended. */
export interface RequestTime {
  /** From the first try to the answer, ms; undefined when no try was answered. */
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

// Latencies of any number of requests in a few kilobytes: buckets that grow by one percent each, so that a run of hours needs no more than one of a minute.

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
