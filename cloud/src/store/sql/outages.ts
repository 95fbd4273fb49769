/**
 * Whether the database works, as failing reads and writes show: an outage is reported once when it begins and once when
 * it ends, however many requests fail during it.
 */
import type { Clock, NamedError } from "@porchlight/shared/kernel";
import { isOutage } from "./refusal.ts";
import type { BulkReads } from "./sql.ts";

/** Reads can work while writes fail: on a full disk, or a read-only server. */
export type StoreWork = "reads" | "writes";

export interface Outage {
  readonly work: StoreWork;
  /** The first failure. */
  readonly error: NamedError;
  /** Monotonic ms. */
  readonly since: number;
}

export interface OutageListener {
  began(outage: Outage): void;
  /** @param lastedMs time since the first failure */
  ended(outage: Outage, lastedMs: number): void;
}

export class Outages {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #listener: OutageListener | undefined;
  readonly #standing = new Map<StoreWork, Outage>();

  constructor(clock: Pick<Clock, "monotonic">, listener: OutageListener | undefined) {
    this.#clock = clock;
    this.#listener = listener;
  }

  /** The current outage; if both kinds fail, that of the writes. */
  get now(): Outage | undefined {
    return this.#standing.get("writes") ?? this.#standing.get("reads");
  }

  /** Whether this kind of work has no outage. */
  isAvailable(work: StoreWork): boolean {
    return !this.#standing.has(work);
  }

  /** @param error ignored when it is not an outage */
  failed(work: StoreWork, error: NamedError): void {
    if (!isOutage(error) || this.#standing.has(work)) return;
    const outage = { work, error, since: this.#clock.monotonic() };
    this.#standing.set(work, outage);
    this.#listener?.began(outage);
  }

  worked(work: StoreWork): void {
    const outage = this.#standing.get(work);
    if (!outage) return;
    this.#standing.delete(work);
    this.#listener?.ended(outage, this.#clock.monotonic() - outage.since);
  }
}

/** Wraps reads outside transactions, and reports their outages. */
export function watchedReads(sql: BulkReads, outages: Outages): BulkReads {
  const told = async <T>(read: Promise<T>): Promise<T> => {
    try {
      const found = await read;
      outages.worked("reads");
      return found;
    } catch (error) {
      if (isOutage(error)) outages.failed("reads", error);
      throw error;
    }
  };
  return {
    build: sql.build,
    query: (query) => told(sql.query(query)),
    change: (query) => told(sql.change(query)),
    all: (statement, params) => told(sql.all(statement, params)),
    run: (statement, params) => told(sql.run(statement, params)),
    allOf: (bulk, rows) => told(sql.allOf(bulk, rows)),
  };
}
