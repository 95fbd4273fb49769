/**
 * Whether the service takes requests, for load balancers: it answers in bounded time, even if a part hangs; and the log of the
 * database's outages.
 */
import type { Clock, Log, LogWrite } from "@porchlight/shared/kernel";
import { isOutage, type OutageListener, type Store } from "../store/index.ts";
import { askStore } from "./requests/service-queries.ts";

const BEGAN = { reads: "the database does not answer reads", writes: "the database does not accept writes" } as const;
const ENDED = { reads: "the database answers reads again", writes: "the database accepts writes again" } as const;

/** Logs a database outage once when it begins and once when it ends. Failures caused by it add no information. */
export function outageLog(log: Log): OutageListener {
  return {
    began: ({ work, error }) => log.error({ error: error.cause }, BEGAN[work]),
    ended: ({ work }, lastedMs) => log.warn({ lastedMs: Math.round(lastedMs) }, ENDED[work]),
  };
}

/** The same log, with failures caused by an outage at level `debug`. */
export function withoutEchoes(log: Log): Log {
  const unlessEcho =
    (write: LogWrite): LogWrite =>
    (fields, message) =>
      isEcho(fields.error) ? log.debug(fields, message) : write(fields, message);
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: unlessEcho((fields, message) => log.warn(fields, message)),
    error: unlessEcho((fields, message) => log.error(fields, message)),
  };
}

function isEcho(error: unknown): boolean {
  return isOutage(error) || (error instanceof Error && error.cause !== undefined && isEcho(error.cause));
}

/** A further condition: returns why it is not met, in a sentence; undefined when it is. It uses known state, and calls no other part. */
export type ReadinessCheck = () => string | undefined;

interface HealthDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** In the order of reporting. */
  readonly checks?: readonly ReadinessCheck[];
  /** Warnings for operators of a service that takes requests nevertheless, each a sentence. */
  readonly warnings?: readonly (() => string | undefined)[];
}

/** Timeout for the store's answer, ms; without one it counts as unavailable. */
const ANSWER_MS = 2000;

const OUTAGES = {
  reads: "The database does not answer.",
  writes: "The database accepts no changes.",
} as const;

export class Health {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #checks: readonly ReadinessCheck[];
  readonly #warnings: readonly (() => string | undefined)[];
  #asking: Promise<string | undefined> | undefined;
  #stopping = false;

  constructor({ store, clock, checks = [], warnings = [] }: HealthDeps) {
    this.#store = store;
    this.#clock = clock;
    this.#checks = checks;
    this.#warnings = warnings;
  }

  /** The service takes no new requests from now on. */
  stopping(): void {
    this.#stopping = true;
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  /** The warnings while it takes requests; undefined without any. */
  get warning(): string | undefined {
    const all = this.#warnings.flatMap((warning) => warning() ?? []);
    return all.length > 0 ? all.join(" ") : undefined;
  }

  /** Why it takes no requests, in a sentence; undefined when it does. */
  async problem(): Promise<string | undefined> {
    if (this.#stopping) return "The service is stopping.";
    // Writes end their outage themselves, because each node writes every few seconds.
    const { outage } = this.#store;
    if (outage?.work === "writes") return OUTAGES.writes;
    for (const check of this.#checks) {
      const problem = check();
      if (problem !== undefined) return problem;
    }
    return this.#askStore();
  }

  /** Concurrent callers share one query to the store. */
  async #askStore(): Promise<string | undefined> {
    this.#asking ??= askStore(this.#store)
      .then(
        () => undefined,
        () => OUTAGES.reads,
      )
      .finally(() => {
        this.#asking = undefined;
      });
    const tooLate = Promise.withResolvers<string>();
    const timer = this.#clock.timer("readiness", ANSWER_MS, () => tooLate.resolve(OUTAGES.reads));
    try {
      return await Promise.race([this.#asking, tooLate.promise]);
    } finally {
      timer.cancel();
    }
  }
}
