/** Events are kept for some days: what is older goes, in small jobs, always from the beginning of a log, so that it has no holes. */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import { type Store, statement } from "../store/index.ts";
import { nextLog } from "./service-queries.ts";

export interface EventRetentionDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly keepEventsDays: number;
}

const DAY = 86_400_000;
/** Between two sweeps, ms. */
const INTERVAL = 3_600_000;
/** Rows of one job. */
const SLICE = 500;

const selectOldest = statement<{ eco: string; limit: number }>("oldest_events")((db, p) =>
  db
    .selectFrom("events")
    .select(["sequence", "created_at"])
    .where("ecosystem_id", "=", p.eco)
    .orderBy("sequence")
    .limit(p.limit),
);
const removeUpTo = statement<{ eco: string; sequence: number }>("sweep_events")((db, p) =>
  db.deleteFrom("events").where("ecosystem_id", "=", p.eco).where("sequence", "<=", p.sequence),
);

export class EventRetention implements AsyncDisposable {
  readonly #deps: EventRetentionDeps;
  readonly #timer: Timer;
  readonly #sweeping = new Rounds(() => this.#sweep());

  private constructor(deps: EventRetentionDeps) {
    this.#deps = deps;
    this.#timer = every(deps.clock, "sweep events", INTERVAL, () => void this.sweep());
  }

  static start(deps: EventRetentionDeps): EventRetention {
    return new EventRetention(deps);
  }

  /** Settles when all that is too old has gone, or the store does not take it: the next sweep goes on. */
  sweep(): Promise<void> {
    return this.#sweeping.ask();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#sweeping.end();
  }

  async #sweep(): Promise<void> {
    const { store, clock, log, keepEventsDays } = this.#deps;
    const before = clock.now() - keepEventsDays * DAY;
    const goesOn = () => !this.#sweeping.ended;
    try {
      for (let eco = await nextLog(store, ""); eco !== undefined && goesOn(); eco = await nextLog(store, eco)) {
        while (goesOn() && (await this.#sweepSlice(eco, before)));
      }
    } catch (error) {
      log.warn({ error }, "old events could not be taken away");
    }
  }

  /** Whether there may be more that is too old. */
  async #sweepSlice(eco: string, before: number): Promise<boolean> {
    const oldest = await this.#deps.store.of(eco).sql.all(selectOldest, { eco, limit: SLICE });
    const kept = oldest.findIndex((event) => event.created_at >= before);
    const last = oldest[(kept < 0 ? oldest.length : kept) - 1];
    if (!last) return false;
    await this.#deps.store.writeService((tx) => tx.run(removeUpTo, { eco, sequence: last.sequence }));
    return kept < 0 && oldest.length === SLICE;
  }
}
