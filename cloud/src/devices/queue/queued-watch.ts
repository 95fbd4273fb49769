/**
 * Looks for commands that were stored by other nodes and wait for hubs that are connected to this one, for the case that the
 * message of that was lost.
 */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { Store } from "../../store/index.ts";
import type { CommandQueue } from "./command-queue.ts";
import { hubsWaitedFor } from "./service-queries.ts";

export interface QueuedWatchDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly queue: Pick<CommandQueue, "look">;
  readonly nodeId: () => string;
}

const LOOK_MS = 1_000;

export class QueuedWatch implements AsyncDisposable {
  readonly #deps: QueuedWatchDeps;
  readonly #timer: Timer;
  readonly #rounds = new Rounds(() => this.#look());

  private constructor(deps: QueuedWatchDeps) {
    this.#deps = deps;
    this.#timer = every(deps.clock, "commands of other nodes", LOOK_MS, () => void this.#rounds.ask());
  }

  static start(deps: QueuedWatchDeps): QueuedWatch {
    return new QueuedWatch(deps);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#rounds.end();
  }

  async #look(): Promise<void> {
    const { store, log, queue, nodeId } = this.#deps;
    try {
      for (const clientId of await hubsWaitedFor(store, nodeId())) queue.look(clientId);
    } catch (error) {
      log.debug({ error }, "queued commands for the hubs of this node could not be read");
    }
  }
}
