/** How much of a time the service has counted requests in: pure, because what was not counted must never look like nothing. */

/** A time during which a node counted; `until` is the last moment up to which all of it is stored. Wall clock, ms. */
export interface CountingPeriod {
  readonly since: number;
  readonly until: number;
  /** Whether the node stopped then. Otherwise it runs, or it was killed: what it counted afterwards is missing. */
  readonly isClosed: boolean;
}

/** `whole`: all requests of the time are counted. `part`: there may have been more. `none`: nothing is known. */
export type Coverage = "whole" | "part" | "none";

/** Longest that a node counts without storing, ms: the most that is missing after one that was killed. */
const MOST_UNSTORED = 60_000;

interface Span {
  readonly since: number;
  readonly until: number;
}

export class CountedTime {
  /** Apart from each other, in their order. */
  readonly #counted: readonly Span[];
  readonly #doubtful: readonly Span[];

  constructor(periods: readonly CountingPeriod[]) {
    this.#counted = joined(periods);
    const open = periods.filter(({ isClosed }) => !isClosed);
    this.#doubtful = joined(open.map(({ until }) => ({ since: until, until: until + MOST_UNSTORED })));
  }

  /** @param until later than `since` */
  coverage(since: number, until: number): Coverage {
    const meets = (span: Span) => span.since < until && since < span.until;
    const span = this.#counted.find(meets);
    if (!span) return "none";
    const isWhole = span.since <= since && until <= span.until && !this.#doubtful.some(meets);
    return isWhole ? "whole" : "part";
  }
}

/** The same time in as few spans as there can be. */
function joined(spans: readonly Span[]): Span[] {
  const all: { since: number; until: number }[] = [];
  for (const { since, until } of spans.toSorted((one, other) => one.since - other.since)) {
    const last = all.at(-1);
    if (last && since <= last.until) last.until = Math.max(last.until, until);
    else all.push({ since, until });
  }
  return all;
}
