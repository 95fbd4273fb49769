/**
 * How far recording is behind, for operators: measured by itself, because a recorder that fails or hangs tells nothing. Of all ecosystems
 * only the one furthest behind is told, so that their number does not matter.
 */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { Store } from "../../store/index.ts";
import { mostBehind } from "../rows/service-queries.ts";

export interface HistoryLagDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether this node records for all. */
  readonly isChosen: () => boolean;
}

/** Between two looks, ms: each compares all ecosystems. */
const EVERY = 30_000;

export class HistoryLag implements AsyncDisposable {
  readonly #deps: HistoryLagDeps;
  readonly #timer: Timer;
  readonly #rounds = new Rounds(() => this.#measure());
  #events = 0;

  private constructor(deps: HistoryLagDeps) {
    this.#deps = deps;
    this.#timer = every(deps.clock, "measure history", EVERY, () => void this.#rounds.ask());
  }

  static start(deps: HistoryLagDeps): HistoryLag {
    return new HistoryLag(deps);
  }

  /** Events that were not recorded at the last look, of the ecosystem furthest behind; 0 on a node that does not record. */
  get events(): number {
    return this.#deps.isChosen() ? this.#events : 0;
  }

  /** Settles when it has been measured. */
  measure(): Promise<void> {
    return this.#rounds.ask();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#rounds.end();
  }

  async #measure(): Promise<void> {
    const { store, log, isChosen } = this.#deps;
    if (!isChosen()) {
      // What was so when this node last recorded says nothing once it records again.
      this.#events = 0;
      return;
    }
    try {
      this.#events = await mostBehind(store);
    } catch (error) {
      if (!this.#rounds.ended) log.warn({ error }, "it could not be measured how far history is behind");
    }
  }
}
