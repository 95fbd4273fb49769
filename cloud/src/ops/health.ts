/** Whether the service takes requests: what a load balancer asks before it sends any. It answers in bounded time, even when a part hangs. */
import type { Clock } from "@porchlight/shared/kernel";
import type { Store } from "../store/index.ts";
import { askStore } from "./requests/service-queries.ts";

/** What else has to be so: gives why it is not, in a sentence; undefined when it is. It looks at what is known, and asks no other part. */
export type ReadinessCheck = () => string | undefined;

export interface HealthDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** In the order in which they are named. */
  readonly checks?: readonly ReadinessCheck[];
  /** What an operator is to know of a service that takes requests all the same, each in a sentence. */
  readonly warnings?: readonly (() => string | undefined)[];
}

/** The store has answered within this time, ms, or it counts as one that does not. */
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

  /** From now on no new requests are wanted. */
  stopping(): void {
    this.#stopping = true;
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  /** What is the matter although it takes requests; undefined when nothing is. */
  get warning(): string | undefined {
    const all = this.#warnings.flatMap((warning) => warning() ?? []);
    return all.length > 0 ? all.join(" ") : undefined;
  }

  /** Why not, in a sentence; undefined when all is well. */
  async problem(): Promise<string | undefined> {
    if (this.#stopping) return "The service is stopping.";
    // Writes end their outage by themselves: each node writes every few seconds.
    const { outage } = this.#store;
    if (outage?.work === "writes") return OUTAGES.writes;
    for (const check of this.#checks) {
      const problem = check();
      if (problem !== undefined) return problem;
    }
    return this.#askStore();
  }

  /** However many ask at once, the store is asked one question at a time. */
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
