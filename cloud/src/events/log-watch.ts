/**
 * Polls once a second for events that other nodes have appended, in case a notification was lost. It reads the newest sequence of
 * all logs that this node follows, in slices, so that the cost does not depend on the number of followers.
 */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { Store } from "../store/index.ts";
import { newestOfLogs } from "./service-queries.ts";

export interface LogWatchDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly notifier: EventNotifier;
}

const LOOK_EVERY = 1_000;
/** Ecosystems in one query. */
const SLICE = 500;

export class LogWatch implements AsyncDisposable {
  readonly #deps: LogWatchDeps;
  readonly #timer: Timer;
  readonly #looking = new Rounds(() => this.#look());

  private constructor(deps: LogWatchDeps) {
    this.#deps = deps;
    this.#timer = every(deps.clock, "logs of other nodes", LOOK_EVERY, () => void this.#looking.ask());
  }

  static start(deps: LogWatchDeps): LogWatch {
    return new LogWatch(deps);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#looking.end();
  }

  async #look(): Promise<void> {
    const { store, notifier, log } = this.#deps;
    const followed = [...notifier.followed];
    try {
      for (let at = 0; at < followed.length && !this.#looking.ended; at += SLICE)
        for (const { ecosystem_id, sequence } of await newestOfLogs(store, followed.slice(at, at + SLICE)))
          notifier.tell(ecosystem_id, sequence);
    } catch (error) {
      log.warn({ error }, "the event logs could not be read; will retry");
    }
  }
}

/**
 * Notified when an event log has grown. The notification only means that there may be something to read, and between nodes it can
 * be lost, so listeners also poll the log.
 * @param sequence of the newest event that the notifier knows
 */
type Listener = (sequence: number) => void;

/** Notifies listeners on this node that an event log has grown. */
export class EventNotifier implements Disposable {
  readonly #byEcosystem = new Map<string, Set<Listener>>();
  readonly #stopListening: () => void;

  private constructor(store: Pick<Store, "onEvents">) {
    this.#stopListening = store.onEvents((ecosystemId, sequence) => this.tell(ecosystemId, sequence));
  }

  static start(store: Pick<Store, "onEvents">): EventNotifier {
    return new EventNotifier(store);
  }

  /** Ecosystems whose log has a listener on this node. */
  get followed(): Iterable<string> {
    return this.#byEcosystem.keys();
  }

  /** Notifies the listener after each commit that added events of the ecosystem. Returns a function that stops it. */
  subscribe(ecosystemId: string, listener: Listener): () => void {
    const listeners = this.#byEcosystem.get(ecosystemId) ?? new Set();
    this.#byEcosystem.set(ecosystemId, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byEcosystem.get(ecosystemId) === listeners)
        this.#byEcosystem.delete(ecosystemId);
    };
  }

  /** Notifies the listeners that the log, appended by any node, reaches that sequence; it may be known already. */
  tell(ecosystemId: string, sequence: number): void {
    for (const listener of this.#byEcosystem.get(ecosystemId) ?? []) listener(sequence);
  }

  [Symbol.dispose](): void {
    this.#stopListening();
  }
}
