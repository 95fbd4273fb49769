/** Who sweeps: at once when something has been deleted, and every minute what a crash or a failed write has left. */
import { type Clock, every, type Log, type Timer } from "@porchlight/shared/kernel";
import type { Store } from "../store/index.ts";
import type { Wakes } from "./deletion.ts";
import { findSweeps } from "./service-queries.ts";
import { sweep } from "./sweep.ts";

export interface SweeperDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY_MS = 60_000;

export class Sweeper implements Wakes, AsyncDisposable {
  readonly #deps: SweeperDeps;
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();
  #busy = false;
  /** Woken while it was at work: what came meanwhile may have been missed. */
  #again = false;
  #closed = false;

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
    if (this.#closed) return;
    this.#again = true;
    if (this.#busy) return;
    this.#busy = true;
    this.#running = this.#run()
      .catch((error: unknown) =>
        this.#deps.log.warn({ error }, "what was deleted could not be swept; it is tried again"),
      )
      .finally(() => {
        this.#busy = false;
      });
  }

  /** Settles when what is being swept has been. */
  idle(): Promise<void> {
    return this.#running;
  }

  async #run(): Promise<void> {
    const { store } = this.#deps;
    while (this.#again && !this.#closed) {
      this.#again = false;
      for (const place of await findSweeps(store)) {
        if (this.#closed) return;
        await sweep(store, place);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    await this.#running;
  }
}
