/** Counts answered requests by ecosystem and minute until they are stored, in small jobs: a count costs an answer next to nothing. */
import { type RequestCountRow, type Store, statement, type Transaction } from "../../store/index.ts";

const MINUTE = 60_000;
/** Maximum counters between two batches; further ones are not counted, and the period is marked as partly counted. */
const CAPACITY = 50_000;

export class RequestCounter {
  #counts = new Map<string, RequestCountRow>();
  /** The counter used last, which the next request mostly uses too. */
  #last: RequestCountRow | undefined;
  #isFull = false;

  /** @param at wall clock, ms */
  count(ecosystemId: string, status: number, at: number): void {
    const minute = at - (at % MINUTE);
    const last = this.#last;
    const isThere = last?.minute === minute && last.ecosystem_id === ecosystemId;
    const row = isThere ? last : this.#row(ecosystemId, minute);
    if (row) row[columnOf(status)] += 1;
    this.#last = row;
  }

  /** Returns all counts since the previous call, and whether some were lost for lack of room. */
  take(): { readonly counts: RequestCountRow[]; readonly isCut: boolean } {
    const taken = { counts: [...this.#counts.values()], isCut: this.#isFull };
    this.#counts = new Map();
    this.#last = undefined;
    this.#isFull = false;
    return taken;
  }

  /** Undefined when there are too many. */
  #row(ecosystemId: string, minute: number): RequestCountRow | undefined {
    const key = `${ecosystemId} ${minute}`;
    let row = this.#counts.get(key);
    if (row) return row;
    if (this.#counts.size >= CAPACITY) {
      this.#isFull = true;
      return undefined;
    }
    row = { ecosystem_id: ecosystemId, minute, succeeded: 0, redirected: 0, refused: 0, failed: 0 };
    this.#counts.set(key, row);
    return row;
  }
}

function columnOf(status: number): "succeeded" | "redirected" | "refused" | "failed" {
  if (status >= 500) return "failed";
  if (status >= 400) return "refused";
  return status >= 300 ? "redirected" : "succeeded";
}

/** Rows of one job. */
const SLICE = 50;
/** Interval of updating the period while nothing is counted, ms. */
const IDLE = 10_000;

type CountValues = {
  eco: string;
  minute: number;
  succeeded: number;
  redirected: number;
  refused: number;
  failed: number;
};
const addCounts = statement<CountValues>("add_request_counts")((db, p) =>
  db
    .insertInto("request_counts")
    .values({
      ecosystem_id: p.eco,
      minute: p.minute,
      succeeded: p.succeeded,
      redirected: p.redirected,
      refused: p.refused,
      failed: p.failed,
    })
    .onConflict((conflict) =>
      conflict.columns(["ecosystem_id", "minute"]).doUpdateSet((of) => ({
        succeeded: of("request_counts.succeeded", "+", of.ref("excluded.succeeded")),
        redirected: of("request_counts.redirected", "+", of.ref("excluded.redirected")),
        refused: of("request_counts.refused", "+", of.ref("excluded.refused")),
        failed: of("request_counts.failed", "+", of.ref("excluded.failed")),
      })),
    ),
);
const upsertPeriod = statement<{ id: string; since: number; until: number; closed: number }>("store_counting_period")(
  (db, p) =>
    db
      .insertInto("counting_periods")
      .values({ id: p.id, since: p.since, until: p.until, closed: p.closed })
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet((of) => ({
          until: of.ref("excluded.until"),
          closed: of.ref("excluded.closed"),
        })),
      ),
);

/**
 * Stores the counts in small jobs, and the time up to which they are complete.
 *
 * Invariant: a period's `until` moves only once all earlier counts are stored. Counts that cannot be stored are lost,
 * and end the period: the next one begins with later counts.
 *
 * In the order of their keys, so that nodes with the same keys do not deadlock. @throws "Service Unavailable"
 */
export async function storeCounts(store: Store, counts: readonly RequestCountRow[]): Promise<void> {
  const sorted = counts.toSorted((a, b) =>
    a.ecosystem_id < b.ecosystem_id ? -1 : a.ecosystem_id > b.ecosystem_id ? 1 : a.minute - b.minute,
  );
  for (let from = 0; from < sorted.length; from += SLICE) {
    const slice = sorted.slice(from, from + SLICE);
    await store.writeService(async (tx) => {
      const living = await livingEcosystems(tx, slice);
      for (const { ecosystem_id: eco, minute, succeeded, redirected, refused, failed } of slice)
        if (living.has(eco)) await tx.run(addCounts, { eco, minute, succeeded, redirected, refused, failed });
    });
  }
}

/** Ecosystems that still exist: counts of an erased one must not be stored again. */
async function livingEcosystems(tx: Transaction, slice: readonly RequestCountRow[]): Promise<Set<string>> {
  const ids = [...new Set(slice.map(({ ecosystem_id }) => ecosystem_id))];
  const found = tx.build.selectFrom("ecosystems").select("id").where("id", "in", ids).where("gone_at", "is", null);
  return new Set((await tx.query(found)).map(({ id }) => id));
}

/** This node's counting period. */
export class OwnPeriod {
  readonly #store: Store;
  #current: { readonly id: string; readonly since: number } | undefined;
  #since: number;
  #reached = Number.NEGATIVE_INFINITY;

  /** @param now wall clock, ms: all requests from then on are counted */
  constructor(store: Store, now: number) {
    this.#store = store;
    this.#since = now;
  }

  /** Whether the period must be updated although nothing was counted. */
  isDue(now: number): boolean {
    return now - this.#reached >= IDLE;
  }

  /**
   * Stores that everything counted before that moment is stored.
   * @param isLast whether counting has stopped @throws "Service Unavailable"
   */
  async reach(until: number, isLast: boolean): Promise<void> {
    await this.#store.writeService(async (tx) => {
      this.#current ??= { id: tx.ids.salt(), since: this.#since };
      const { id, since } = this.#current;
      await tx.run(upsertPeriod, { id, since, until: Math.max(since, until), closed: isLast ? 1 : 0 });
    });
    this.#reached = until;
  }

  /** Ends the period because a count from before that moment is lost. */
  lose(until: number): void {
    this.#current = undefined;
    this.#since = until;
    this.#reached = until;
  }
}
