/**
 * Looks for commands without an end whose time is over, of hubs that are connected to this node: another node may have stored them after
 * the hub had come here and was asked about its open commands, as one does whose database was away for a moment. Nobody else would ask.
 */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { Store } from "../../store/index.ts";
import { hubsOverdue } from "./service-queries.ts";

export interface OverdueWatchDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly nodeId: () => string;
  /** Asks a hub about its open commands, if it is connected here. */
  readonly recover: (clientId: string) => void;
}

/** How often is looked, ms. */
const LOOK_MS = 10_000;
/** A command is overdue so long after its time, ms: by then its record has come, if its hub has one. */
const OVERDUE_MS = 5_000;

export class OverdueWatch implements AsyncDisposable {
  readonly #deps: OverdueWatchDeps;
  readonly #timer: Timer;
  readonly #rounds = new Rounds(() => this.#look());

  private constructor(deps: OverdueWatchDeps) {
    this.#deps = deps;
    this.#timer = every(deps.clock, "overdue commands", LOOK_MS, () => void this.#rounds.ask());
  }

  static start(deps: OverdueWatchDeps): OverdueWatch {
    return new OverdueWatch(deps);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#rounds.end();
  }

  async #look(): Promise<void> {
    const { store, clock, log, nodeId, recover } = this.#deps;
    try {
      for (const clientId of await hubsOverdue(store, nodeId(), clock.now() - OVERDUE_MS)) recover(clientId);
    } catch (error) {
      log.debug({ error }, "overdue commands of the hubs of this node could not be read");
    }
  }
}
