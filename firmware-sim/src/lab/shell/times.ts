/** How long requests took, by kind, and what became of those that took too long. */
import { Latency } from "./latency.ts";

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
