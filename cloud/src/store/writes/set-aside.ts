/**
 * Isolates bad records of a batch: the batch is halved until the failing record is alone; that record is set aside by
 * the rule of its loop, counted and logged, and the others continue (docs/reliability.md has the loops and their
 * rules).
 *
 * Invariant: only errors of a record set it aside. An outage of the database is thrown, and the loop retries.
 */
import { Bisection, type Clock, type Log, type LogFields } from "@porchlight/shared/kernel";
import { isOfRecord } from "../sql/refusal.ts";

/** Every loop that processes batches and retries failures. */
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

/** How a loop handles one batch. */
export interface BatchLoop<T> {
  readonly loop: Loop;
  readonly log: Log;
  /** IDs of a record for the log, never its contents. */
  readonly about: (record: T) => LogFields;
}

export interface BatchWork<T> extends BatchLoop<T> {
  /** Processes a part of the batch, completely or not at all. May be called again with a part of that part. */
  readonly work: (part: readonly T[]) => Promise<unknown>;
  /** Sets the record aside. Without it the record stays, and the next round retries it behind the others. */
  readonly aside?: (record: T) => Promise<unknown>;
}

/** Log lines of one loop in a minute: a flood of bad records must not become a flood of lines. */
const LINES = 10;
const MINUTE = 60_000;
/** How long the warning for operators stays after the last set-aside record, ms. */
const WARNED = 3_600_000;

interface LoopCount {
  total: number;
  /** Wall clock, ms. */
  lastAt: number;
  /** Log lines since `minute`. */
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

  /** A warning for operators if a record was set aside in the last hour. */
  get warning(): string | undefined {
    const since = this.#clock.now() - WARNED;
    const lately = [...this.#counts].filter(([, { lastAt }]) => lastAt > since);
    if (lately.length === 0) return undefined;
    return `Records that could not be processed were set aside in the last hour (${lately.map(([loop]) => loop).join(", ")}): the log names them.`;
  }

  /**
   * Processes a batch in order.
   * @returns the number of records set aside
   * @throws errors that are not a record's; completed parts stay done
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

  /** Does one record in memory by the same rule. @returns undefined when it is set aside */
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
