/**
 * Whether the database does its work, as reads and writes find out by failing with it: so that an outage is said once when it
 * begins and once when it ends, however many requests fall into it.
 */
import type { Clock, NamedError } from "@porchlight/shared/kernel";
import { isOutage } from "./refusal.ts";
import type { BulkReads } from "./sql.ts";

/** Reads may go on where writes do not: on a full disk, or a server that only reads. */
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
  /** @param lastedMs since the first failure */
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

  /** What stands; of both, that of the writes. */
  get now(): Outage | undefined {
    return this.#standing.get("writes") ?? this.#standing.get("reads");
  }

  /** Whether none stands of this work. */
  isAvailable(work: StoreWork): boolean {
    return !this.#standing.has(work);
  }

  /** @param error what is no outage is left aside */
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

/** Reads outside transactions, of which the outages hear. */
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
