/** Shares reads of the log between many webhooks: those of an ecosystem at the same position get one read. */
import type { LoggedEvent } from "../events/index.ts";

/** The log's reader: see `LogReader`. */
export interface ReadsLog {
  read(
    ecosystemId: string,
    after: number,
    limit?: number,
  ): Promise<
    | { readonly kind: "events"; readonly events: readonly LoggedEvent[] }
    | { readonly kind: "lost"; readonly after: number }
  >;
  newest(ecosystemId: string): Promise<number>;
}

/** Events read at once. */
const BATCH = 200;

export class EventFeed {
  readonly #log: ReadsLog;
  readonly #reading = new Map<string, ReturnType<ReadsLog["read"]>>();

  constructor(log: ReadsLog) {
    this.#log = log;
  }

  /** Sequence of the newest event, 0 before the first. @throws "Service Unavailable" */
  newest(ecosystemId: string): Promise<number> {
    return this.#log.newest(ecosystemId);
  }

  /**
   * @param newest end of the log as the reader knows it: a read that started with an earlier end may have found less,
   * and is not shared
   * @throws "Service Unavailable"
   */
  read(ecosystemId: string, after: number, newest: number): ReturnType<ReadsLog["read"]> {
    const key = `${ecosystemId} ${after} ${newest}`;
    const shared = this.#reading.get(key);
    if (shared) return shared;
    const reading = this.#log.read(ecosystemId, after, BATCH).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }
}
