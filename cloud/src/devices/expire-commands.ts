/** Ends commands that have been open for a day: the hub's journal does not know them any more (tunnel guarantee 6). */
import { type Clock, every, type Log, type Timer } from "@porchlight/shared/kernel";
import type { Store } from "../store/index.ts";
import { settleCommand } from "./command-store.ts";
import { findStaleCommands } from "./service-queries.ts";

export interface ExpireDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

const DAY_MS = 24 * 3_600_000;
const EVERY_MS = 60_000;

export class CommandExpiry implements AsyncDisposable {
  readonly #deps: ExpireDeps;
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();
  #busy = false;

  private constructor(deps: ExpireDeps) {
    this.#deps = deps;
  }

  static start(deps: ExpireDeps): CommandExpiry {
    const expiry = new CommandExpiry(deps);
    expiry.#timer = every(deps.clock, "command expiry", EVERY_MS, () => expiry.#tick());
    return expiry;
  }

  #tick(): void {
    if (this.#busy) return;
    this.#busy = true;
    this.#running = this.#expire()
      .catch((error: unknown) => this.#deps.log.warn({ error }, "old commands could not be ended; it is tried again"))
      .finally(() => {
        this.#busy = false;
      });
  }

  async #expire(): Promise<void> {
    const { store, clock } = this.#deps;
    const detail = "Within a day nobody could say what became of the command.";
    const end = { state: "failed", outcome: "unknown", error: { name: "Hub Timeout", detail } } as const;
    for (const row of await findStaleCommands(store, clock.now() - DAY_MS)) {
      await store.write(row.ecosystem_id, (tx) => settleCommand(tx, row, end, clock.now()));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.cancel();
    await this.#running;
  }
}
