/** Whether the service takes requests, for load balancers. It answers in bounded time, even if a part hangs. */
import type { Clock } from "@porchlight/shared/kernel";
import type { Store } from "../store/index.ts";
import { askStore } from "./requests/service-queries.ts";

/** A further condition: returns why it is not met, in a sentence; undefined when it is. It uses known state, and calls no other part. */
export type ReadinessCheck = () => string | undefined;

export interface HealthDeps {
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
