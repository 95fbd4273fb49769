/**
 * Who is woken when an event log has grown. A wake says only that there is something to read: the truth is in the log, and
 * listeners also look there from time to time, because between several nodes a notification may be lost.
 */
import type { Store } from "../store/index.ts";

/** @param sequence of the newest event, as far as the notifier knows */
export type Listener = (sequence: number) => void;

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
