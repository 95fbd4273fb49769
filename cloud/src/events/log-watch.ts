/**
 * Looks once a second how far the logs have grown that somebody on this node follows: for what other nodes have appended, when
 * no notification told. One question for all of them, a slice at a time, for any number of followers.
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
/** Ecosystems asked for at once. */
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

// Who is woken when an event log has grown. A wake says only that there is something to read: the truth is in the log, and
// listeners also look there from time to time, because between several nodes a notification may be lost.

/** @param sequence of the newest event, as far as the notifier knows */
type Listener = (sequence: number) => void;

export class EventNotifier implements Disposable {
  readonly #byEcosystem = new Map<string, Set<Listener>>();
  readonly #stopListening: () => void;

  private constructor(store: Pick<Store, "onEvents">) {
    this.#stopListening = store.onEvents((ecosystemId, sequence) => this.tell(ecosystemId, sequence));
  }

  static start(store: Pick<Store, "onEvents">): EventNotifier {
    return new EventNotifier(store);
  }

  /** Ecosystems whose log somebody follows. */
  get followed(): Iterable<string> {
    return this.#byEcosystem.keys();
  }

  /** Told after each commit that added events of the ecosystem. Gives back how to stop. */
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

  /** The log goes up to there, by any node; perhaps that was known. */
  tell(ecosystemId: string, sequence: number): void {
    for (const listener of this.#byEcosystem.get(ecosystemId) ?? []) listener(sequence);
  }

  [Symbol.dispose](): void {
    this.#stopListening();
  }
}
