/**
 * Batches of which a record cannot be worked on: the batch is halved until that record stands alone, which is set aside by the rule of its
 * loop, counted and logged, and the others go on (docs/reliability.md has the loops and their rules).
 *
 * Invariant: only errors of a record set it aside. What an outage of the database refuses is thrown, and the loop tries it again.
 */
import { Bisection, type Clock, type Log, type LogFields } from "@porchlight/shared/kernel";
import { isOfRecord } from "../sql/refusal.ts";

/** Every loop that works on batches and tries again what failed. */
export const LOOPS = [
  "hub_records",
  "history",
  "history_retention",
  "alerts",
  "alert_emails",
  "webhook_events",
  "webhook_attempts",
  "webhook_retention",
  "sinks",
  "mail",
  "exports",
  "erasures",
  "event_retention",
  "log_retention",
  "audit_retention",
  "idempotency_keys",
  "deletions",
  "command_expiry",
  "offline_hubs",
  "request_log",
] as const;
export type Loop = (typeof LOOPS)[number];

/** A loop, as it handles one batch. */
export interface BatchLoop<T> {
  readonly loop: Loop;
  readonly log: Log;
  /** IDs of a record for the log, never its contents. */
  readonly about: (record: T) => LogFields;
}

export interface BatchWork<T> extends BatchLoop<T> {
  /** Works on a part of the batch: on all of it, or on nothing. May be called again with a part of the part. */
  readonly work: (part: readonly T[]) => Promise<unknown>;
  /** What becomes of a record that is set aside. Without it the record stays, and the next round tries it again behind the others. */
  readonly aside?: (record: T) => Promise<unknown>;
}

/** Lines of the log of one loop in a minute: a flood of bad records must not become a flood of lines. */
const LINES = 10;
const MINUTE = 60_000;
/** For how long an operator is warned after the last one, ms. */
const WARNED = 3_600_000;

interface LoopCount {
  total: number;
  /** Wall clock, ms. */
  lastAt: number;
  /** Of the log, since `minute`. */
  lines: number;
  minute: number;
}

export class SetAside {
  readonly #clock: Pick<Clock, "now">;
  readonly #counts = new Map<Loop, LoopCount>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Records set aside since the start, by loop. */
  get counts(): ReadonlyMap<Loop, number> {
    return new Map([...this.#counts].map(([loop, { total }]) => [loop, total]));
  }

  /** For operators, while a record was set aside in the last hour. */
  get warning(): string | undefined {
    const since = this.#clock.now() - WARNED;
    const lately = [...this.#counts].filter(([, { lastAt }]) => lastAt > since);
    if (lately.length === 0) return undefined;
    return `Records that could not be processed were set aside in the last hour (${lately.map(([loop]) => loop).join(", ")}): the log names them.`;
  }

  /**
   * Works on a batch, in its order.
   * @returns how many records were set aside @throws what is no error of a record; parts that are done stay done
   */
  async each<T>(batch: readonly T[], { work, aside, ...of }: BatchWork<T>): Promise<number> {
    const bisection = new Bisection(batch);
    let count = 0;
    for (let part = bisection.next(); part !== undefined; part = bisection.next()) {
      try {
        await work(part);
      } catch (error) {
        if (!isOfRecord(error)) throw error;
        for (const record of bisection.refused(part)) {
          this.#note(of, record, error);
          await aside?.(record);
          count += 1;
        }
      }
    }
    return count;
  }

  /** The same for work on one record in memory. @returns undefined when it is set aside */
  one<T, R>(record: T, of: BatchLoop<T>, work: (record: T) => R): R | undefined {
    try {
      return work(record);
    } catch (error) {
      if (!isOfRecord(error)) throw error;
      this.#note(of, record, error);
      return undefined;
    }
  }

  #note<T>({ loop, log, about }: BatchLoop<T>, record: T, error: unknown): void {
    const now = this.#clock.now();
    const count = this.#counts.get(loop) ?? { total: 0, lastAt: now, lines: 0, minute: now };
    this.#counts.set(loop, count);
    count.total += 1;
    count.lastAt = now;
    if (Math.abs(now - count.minute) >= MINUTE) Object.assign(count, { lines: 0, minute: now });
    count.lines += 1;
    if (count.lines > LINES) return;
    log.error(
      { loop, ...about(record), error, setAside: count.total },
      "a record could not be processed and was set aside",
    );
  }
}
