/**
 * Deletes events that are older than the retention, or beyond an ecosystem's limit of bytes. It works in small jobs, always from the
 * beginning of a log, so that a log has no holes. Each event records the bytes before it, so that no sum is needed.
 */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import { one, type Store, statement } from "../store/index.ts";
import { type Log as EventLog, nextLog } from "./service-queries.ts";

export interface EventRetentionDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly keepEventsDays: number;
  /** Million bytes kept for one ecosystem. */
  readonly keepEventsMegabytes: number;
  /** Sequence of the last event that all readers of an ecosystem have read: later events stay while the log is under twice its limit. */
  readonly readUpTo?: ((eco: string) => Promise<number>) | undefined;
}

const DAY = 86_400_000;
const MEGABYTE = 1_000_000;
/** Interval of sweeps over all logs, ms; a log that has grown much is swept at once. */
const INTERVAL = 3_600_000;
/** Most rows of one job, and their bytes, not counting the last row. */
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
  /** Ecosystems whose log has grown much since its last sweep. */
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

  /** Resolves when all excess events are deleted, or the store refuses; the next sweep continues. */
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

  /** Sweeps a log. A log whose oldest events cannot be deleted keeps them until the next sweep, because it must have no holes. */
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

  /** Returns whether there may be more to delete. */
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
  /** Wall clock, ms: older events are deleted. */
  readonly before: number;
  /** Events that begin earlier in the log are deleted, and before them those whose offset is unknown. */
  readonly offset: number;
  /** Sequence of the last event that all readers have read: later events stay. */
  readonly read: number;
  /** Exception to `read`: events that begin earlier in the log than this are deleted. */
  readonly unread: number;
}
