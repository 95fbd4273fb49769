/**
 * Events are kept for some days, and of each ecosystem at most so many bytes: what is past either goes, in small jobs, always from the
 * beginning of a log, so that it has no holes. An event knows how many bytes were before it, so that nothing has to be added up.
 */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import { one, type Store, statement } from "../store/index.ts";
import { type Log as EventLog, nextLog } from "./service-queries.ts";

export interface EventRetentionDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly keepEventsDays: number;
  /** Million bytes of one ecosystem. */
  readonly keepEventsMegabytes: number;
  /** Up to which event of an ecosystem somebody has yet to read: what comes after stays, as long as the log is not twice as large as it may be. */
  readonly readUpTo?: ((eco: string) => Promise<number>) | undefined;
}

const DAY = 86_400_000;
const MEGABYTE = 1_000_000;
/** Between two sweeps over all logs, ms; a log that has grown much is swept at once. */
const INTERVAL = 3_600_000;
/** Rows of one job at most, and their bytes, but for the last. */
const SLICE = 500;
const SLICE_BYTES = 4 * 1024 * 1024;

const selectBytes = statement<{ eco: string }>("log_bytes")((db, p) =>
  db.selectFrom("counters").select("log_bytes").where("ecosystem_id", "=", p.eco),
);
const selectOldest = statement<{ eco: string; limit: number }>("oldest_events")((db, p) =>
  db
    .selectFrom("events")
    .select(["sequence", "created_at", "log_offset"])
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
  readonly #stopListening: () => void;
  readonly #sweeping = new Rounds(() => this.#round());
  /** Ecosystems whose log has grown much since it was swept. */
  readonly #grown = new Set<string>();
  #all = false;

  private constructor(deps: EventRetentionDeps) {
    this.#deps = deps;
    this.#timer = every(deps.clock, "sweep events", INTERVAL, () => void this.sweep());
    this.#stopListening = deps.store.onCommits(({ grown }) => {
      for (const eco of grown) this.#grown.add(eco);
      if (grown.size > 0) void this.#sweeping.ask();
    });
  }

  static start(deps: EventRetentionDeps): EventRetention {
    return new EventRetention(deps);
  }

  /** Settles when all that is too much has gone, or the store does not take it: the next sweep goes on. */
  sweep(): Promise<void> {
    this.#all = true;
    return this.#sweeping.ask();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    this.#stopListening();
    await this.#sweeping.end();
  }

  async #round(): Promise<void> {
    const { store, log } = this.#deps;
    const isAll = this.#all;
    const grown = [...this.#grown];
    this.#all = false;
    this.#grown.clear();
    const goesOn = () => !this.#sweeping.ended;
    try {
      for (const eco of grown) {
        const counter = await one(store.of(eco).sql.all(selectBytes, { eco }));
        if (goesOn()) await this.#sweepOrLeave({ eco, bytes: counter?.log_bytes ?? 0 });
      }
      if (!isAll) return;
      for (let next = await nextLog(store, ""); next && goesOn(); next = await nextLog(store, next.eco))
        await this.#sweepOrLeave(next);
    } catch (error) {
      log.warn({ error }, "old events could not be deleted");
    }
  }

  /** A log has no holes: one whose oldest events cannot be deleted keeps them until the next sweep. */
  async #sweepOrLeave(swept: EventLog): Promise<void> {
    const { store, log } = this.#deps;
    await store.setAside.each([swept], {
      ...{ loop: "event_retention", log, about: ({ eco }) => ({ ecosystem: eco }) },
      work: () => this.#sweepLog(swept),
    });
  }

  async #sweepLog({ eco, bytes }: EventLog): Promise<void> {
    const { clock, keepEventsDays, keepEventsMegabytes } = this.#deps;
    const before = clock.now() - keepEventsDays * DAY;
    const offset = bytes - keepEventsMegabytes * MEGABYTE;
    const read = (await this.#deps.readUpTo?.(eco)) ?? Number.POSITIVE_INFINITY;
    const unread = bytes - 2 * keepEventsMegabytes * MEGABYTE;
    while (!this.#sweeping.ended && (await this.#sweepSlice(eco, { before, offset, read, unread })));
  }

  /** Whether there may be more to take away. */
  async #sweepSlice(eco: string, { before, offset, read, unread }: Bounds): Promise<boolean> {
    const oldest = await this.#deps.store.of(eco).sql.all(selectOldest, { eco, limit: SLICE });
    const offsetOf = (event: (typeof oldest)[number] | undefined) => event?.log_offset ?? 0;
    const ends = offsetOf(oldest[0]) + SLICE_BYTES;
    const isKept = (event: (typeof oldest)[number]) =>
      (event.created_at >= before && offsetOf(event) >= offset) || (event.sequence > read && offsetOf(event) >= unread);
    const first = oldest.findIndex((event) => isKept(event) || offsetOf(event) >= ends);
    const left = first < 0 ? undefined : oldest[first];
    const last = oldest[(first < 0 ? oldest.length : first) - 1];
    if (!last) return false;
    await this.#deps.store.writeService((tx) => tx.run(removeUpTo, { eco, sequence: last.sequence }));
    return left ? !isKept(left) : oldest.length === SLICE;
  }
}

interface Bounds {
  /** Wall clock, ms: what is older goes. */
  readonly before: number;
  /** What began earlier in the log goes, and first those of which it is not known where they began. */
  readonly offset: number;
  /** Sequence after which nobody has read yet: such an event stays. */
  readonly read: number;
  /** But not one that began earlier in the log than this. */
  readonly unread: number;
}
