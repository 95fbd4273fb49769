/** The periods in which requests were counted, which belong to no ecosystem, and the deletion of old counts of all ecosystems. */
import { one, type Store, statement } from "../../store/index.ts";

/** Maximum periods that one request reads; above it the known time is shorter. */
const MOST_PERIODS = 5_000;
/** Rows of one job. */
const SLICE = 500;

const periodsIn = statement<{ since: number; until: number; limit: number }>("counting_periods_in")((db, p) =>
  db
    .selectFrom("counting_periods")
    .selectAll()
    .where("until", ">=", p.since)
    .where("since", "<", p.until)
    .orderBy("until", "desc")
    .limit(p.limit),
);

/**
 * Periods that overlap a time, and those that ended less than a minute before it. @param since wall clock, ms @throws
 * "Service Unavailable"
 */
export async function countingPeriods(store: Store, since: number, until: number): Promise<CountingPeriod[]> {
  const rows = await store.service.all(periodsIn, { since: since - 60_000, until, limit: MOST_PERIODS });
  return rows.map((row) => ({ since: row.since, until: row.until, isClosed: row.closed === 1 }));
}

const lastOfSlice = statement<{ before: number; skip: number }>("oldest_request_counts")((db, p) =>
  db
    .selectFrom("request_counts")
    .select("minute")
    .where("minute", "<", p.before)
    .orderBy("minute")
    .limit(1)
    .offset(p.skip),
);
const removeCounts = statement<{ upTo: number }>("sweep_request_counts")((db, p) =>
  db.deleteFrom("request_counts").where("minute", "<=", p.upTo),
);
const removePeriods = statement<{ before: number }>("sweep_counting_periods")((db, p) =>
  db.deleteFrom("counting_periods").where("until", "<", p.before),
);

/** Deletes older counts. @param before wall clock, ms @param goesOn whether another job may start @throws "Service Unavailable" */
export async function sweepCounts(store: Store, before: number, goesOn: () => boolean): Promise<void> {
  for (let more = true; more && goesOn(); ) {
    const end = await one(store.service.all(lastOfSlice, { before, skip: SLICE - 1 }));
    more = end !== undefined;
    await store.writeService((tx) => tx.run(removeCounts, { upTo: end?.minute ?? before - 1 }));
  }
  await store.writeService((tx) => tx.run(removePeriods, { before }));
}

/** A period in which a node counted; `until` is the last moment up to which all of it is stored. Wall clock, ms. */
export interface CountingPeriod {
  readonly since: number;
  readonly until: number;
  /** Whether the node stopped then. Otherwise it runs, or it was killed and later counts are missing. */
  readonly isClosed: boolean;
}

/** `whole`: all requests of the time are counted. `part`: there may have been more. `none`: nothing is known. */
export type Coverage = "whole" | "part" | "none";

/** Maximum time that a node counts without storing, ms: the most that is missing after a kill. */
const MOST_UNSTORED = 60_000;

interface Span {
  readonly since: number;
  readonly until: number;
}

/** The times in which the service has counted requests: pure, because uncounted requests must never look like none. */
export class CountedTime {
  /** Disjoint, in order. */
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

/** Merges spans into as few as possible. */
function joined(spans: readonly Span[]): Span[] {
  const all: { since: number; until: number }[] = [];
  for (const { since, until } of spans.toSorted((one, other) => one.since - other.since)) {
    const last = all.at(-1);
    if (last && since <= last.until) last.until = Math.max(last.until, until);
    else all.push({ since, until });
  }
  return all;
}
