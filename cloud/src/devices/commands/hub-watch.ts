/** Searches the store for commands that other nodes have stored for hubs of this node, in case the notification was lost or never sent. */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { Store } from "../../store/index.ts";
import { hubsOverdue, hubsWaitedFor } from "./service-queries.ts";

export interface HubWatchDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly nodeId: () => string;
}

/** One kind of search. */
interface Look {
  readonly name: string;
  readonly everyMs: number;
  /** Clients of this node. */
  readonly find: () => Promise<readonly string[]>;
  readonly found: (clientId: string) => void;
}

/** A command is overdue this long after its deadline, ms: by then its record has arrived, if its hub has one. */
const OVERDUE_MS = 5_000;

export class HubWatch implements AsyncDisposable {
  readonly #log: Log;
  readonly #look: Look;
  readonly #timer: Timer;
  readonly #rounds = new Rounds(() => this.#round());

  private constructor({ clock, log }: HubWatchDeps, look: Look) {
    this.#log = log;
    this.#look = look;
    this.#timer = every(clock, look.name, look.everyMs, () => void this.#rounds.ask());
  }

  /** Searches for commands that wait for their hub. @param look sends them */
  static ofQueued(deps: HubWatchDeps, look: (clientId: string) => void): HubWatch {
    const { store, nodeId } = deps;
    const find = () => hubsWaitedFor(store, nodeId());
    return new HubWatch(deps, { name: "commands of other nodes", everyMs: 1_000, find, found: look });
  }

  /**
   * Searches for commands without an end after their deadline: another node may have stored them after the hub had
   * connected here and was asked about its open commands, for example when its database was away for a moment. No other
   * mechanism finds them.
   * @param recover asks a hub about its open commands, if it is connected here
   */
  static ofOverdue(deps: HubWatchDeps, recover: (clientId: string) => void): HubWatch {
    const { store, clock, nodeId } = deps;
    const find = () => hubsOverdue(store, nodeId(), clock.now() - OVERDUE_MS);
    return new HubWatch(deps, { name: "overdue commands", everyMs: 10_000, find, found: recover });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#rounds.end();
  }

  async #round(): Promise<void> {
    const { name, find, found } = this.#look;
    try {
      for (const clientId of await find()) found(clientId);
    } catch (error) {
      this.#log.debug({ error }, `${name} could not be read`);
    }
  }
}
