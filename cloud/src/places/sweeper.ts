/** Runs the sweeps: at once after a deletion, and every minute for those that a crash or a failed write has left. */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { Store } from "../store/index.ts";
import type { SweepTrigger } from "./deletion.ts";
import { findSweeps } from "./service-queries.ts";
import { sweep } from "./sweep.ts";

export interface SweeperDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY_MS = 60_000;

export class Sweeper implements SweepTrigger, AsyncDisposable {
  readonly #deps: SweeperDeps;
  #timer: Timer | undefined;
  readonly #rounds = new Rounds(() => this.#round());

  private constructor(deps: SweeperDeps) {
    this.#deps = deps;
  }

  static start(deps: SweeperDeps): Sweeper {
    const sweeper = new Sweeper(deps);
    sweeper.#timer = every(deps.clock, "sweep", EVERY_MS, () => sweeper.wake());
    sweeper.wake();
    return sweeper;
  }

  wake(): void {
    void this.#rounds.ask();
  }

  /** Resolves when no sweep is in progress. */
  async idle(): Promise<void> {
    await this.#rounds.running;
  }

  async #round(): Promise<void> {
    const { store, log } = this.#deps;
    try {
      await store.setAside.each(await findSweeps(store), {
        ...{ loop: "deletions", log, about: ({ id }) => ({ place: id }) },
        work: async (some) => {
          for (const place of some) if (!this.#rounds.ended) await sweep(store, log, place);
        },
      });
    } catch (error) {
      log.warn({ error }, "the rows of deleted objects could not be deleted; will retry");
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.cancel();
    await this.#rounds.end();
  }
}
