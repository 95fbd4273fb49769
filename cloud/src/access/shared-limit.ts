/**
 * A rate limit over all nodes, for the few limits that guard secrets: a guesser must not get a full bucket on each node. The
 * database keeps one row for each key, with the time at which its bucket is full again. An embedded database has one process,
 * whose own limiter suffices.
 */
import { createHash } from "node:crypto";
import type { BucketRule, Clock, NamedError } from "@porchlight/shared/kernel";
import { type RawBuilder, sql } from "kysely";
import { one, type Store, statement, type Transaction } from "../store/index.ts";

type Count = { key: string; now: number; step: number; first: number; limit: number; reset: number };
/** When the bucket is full, before this take. A time further ahead than any bucket's span comes from another clock and is ignored. */
const fullAt = (p: Count): RawBuilder<number> =>
  sql<number>`(case when shared_limits.full_at > ${p.now} and shared_limits.full_at <= ${p.reset}
    then shared_limits.full_at else ${p.now} end)`;
const takeOne = statement<Count>("take_of_shared_limit")((db, p) =>
  db
    .insertInto("shared_limits")
    .values({ key: p.key, full_at: p.first })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({ full_at: sql<number>`${fullAt(p)} + ${p.step}` })
        .where(fullAt(p), "<=", p.limit),
    )
    .returning("full_at"),
);
const giveOneBack = statement<{ key: string; step: number }>("give_back_to_shared_limit")((db, p) =>
  db
    .updateTable("shared_limits")
    .set((of) => ({ full_at: of("full_at", "-", p.step) }))
    .where("key", "=", p.key),
);
const fullOf = statement<{ key: string }>("shared_limit")((db, p) =>
  db.selectFrom("shared_limits").select("full_at").where("key", "=", p.key),
);
const dropFull = statement<{ now: number }>("drop_full_shared_limits")((db, p) =>
  db.deleteFrom("shared_limits").where("full_at", "<=", p.now),
);

export interface SharedLimitDeps {
  readonly store: Pick<Store, "dialect" | "writeService">;
  readonly clock: Clock;
}

export class SharedLimit {
  readonly #deps: SharedLimitDeps;
  readonly #name: string;
  /** Cost of one take, and span of a whole bucket, ms. */
  readonly #step: number;
  readonly #span: number;

  /** @param name of the limit; each name has its own keys */
  constructor(deps: SharedLimitDeps, name: string, { perSecond, burst }: BucketRule) {
    this.#deps = deps;
    this.#name = name;
    this.#step = Math.round(1000 / perSecond);
    this.#span = Math.round((burst * 1000) / perSecond);
  }

  /**
   * Takes one token from the bucket.
   * @param refusal makes the error for an empty bucket, given the seconds until the next token
   * @throws what `refusal` returns, "Service Unavailable"
   */
  async take(key: string, refusal: (retryAfter: number) => NamedError): Promise<void> {
    const { store, clock } = this.#deps;
    if (store.dialect === "sqlite") return;
    await store.writeService(async (tx) => {
      const [now, hash, step] = [clock.now(), this.#hash(key), this.#step];
      const limit = now + this.#span - step;
      const count = { key: hash, now, step, first: now + step, limit, reset: now + 2 * this.#span };
      if (await one(tx.all(takeOne, count))) return;
      const full = (await one(tx.all(fullOf, { key: hash })))?.full_at ?? now;
      throw refusal(Math.max(1, Math.ceil((full - limit) / 1000)));
    });
  }

  /** Returns a token to the bucket, because the attempt does not count. @throws "Service Unavailable" */
  async giveBack(key: string): Promise<void> {
    const { store } = this.#deps;
    if (store.dialect === "sqlite") return;
    await store.writeService((tx) => tx.run(giveOneBack, { key: this.#hash(key), step: this.#step }));
  }

  /** Hides from readers of the database which addresses were tried. */
  #hash(key: string): string {
    return createHash("sha256").update(`${this.#name} ${key}`).digest("hex");
  }
}

/** Deletes full buckets. */
export async function sweepSharedLimits(tx: Transaction): Promise<void> {
  await tx.run(dropFull, { now: tx.now() });
}
