/** How long requests took, by kind, and how many were lost. */

/** What is told of the times of a kind. */
export const FIGURES = ["median", "p99", "most"] as const;
export type TimesFigure = (typeof FIGURES)[number];

export interface KindTimes {
  readonly kind: string;
  readonly requests: number;
  /** Tries that were not answered. */
  readonly lost: number;
  /** Of those that were answered, ms; undefined when none was. */
  readonly median: number | undefined;
  readonly p99: number | undefined;
  readonly most: number | undefined;
}

/** Latencies kept of each kind: the newest. */
const KEPT = 10_000;

interface Kind {
  requests: number;
  lost: number;
  readonly answered: number[];
}

export class Times {
  readonly #kinds = new Map<string, Kind>();

  /** @param ms undefined when no try was answered */
  add(name: string, ms: number | undefined, tries: number): void {
    const kind = this.#kinds.get(name) ?? { requests: 0, lost: 0, answered: [] };
    this.#kinds.set(name, kind);
    kind.requests += 1;
    kind.lost += ms === undefined ? tries : tries - 1;
    if (ms === undefined) return;
    kind.answered.push(ms);
    if (kind.answered.length > KEPT) kind.answered.shift();
  }

  get all(): readonly KindTimes[] {
    return [...this.#kinds].map(([name, { requests, lost, answered }]) => {
      const sorted = answered.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
      return { kind: name, requests, lost, median: at(0.5), p99: at(0.99), most: sorted.at(-1) };
    });
  }
}
