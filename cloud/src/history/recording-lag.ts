/**
 * Measures how far recording is behind, for operators. It is separate from the recorder, because one that fails or hangs reports
 * nothing. It reports only the ecosystem furthest behind, so that their number does not matter.
 */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { Store } from "../store/index.ts";
import { type Behind, mostBehind } from "./service-queries.ts";

export interface HistoryLagDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether this node records for all. */
  readonly isChosen: () => boolean;
}

/** Interval of measurements, ms: each compares all ecosystems. */
const EVERY = 30_000;
/** Age of the oldest unrecorded event from which operators are warned, ms: a healthy service is a second or two behind. */
const LATE = 300_000;
const MINUTE = 60_000;
const NONE: Behind = { events: 0, since: undefined };

export class HistoryLag implements AsyncDisposable {
  readonly #deps: HistoryLagDeps;
  readonly #timer: Timer;
  readonly #rounds = new Rounds(() => this.#measure());
  #behind = NONE;
  #wasLate = false;

  private constructor(deps: HistoryLagDeps) {
    this.#deps = deps;
    this.#timer = every(deps.clock, "measure history", EVERY, () => void this.#rounds.ask());
  }

  static start(deps: HistoryLagDeps): HistoryLag {
    return new HistoryLag(deps);
  }

  /** Unrecorded events at the last measurement, of the ecosystem furthest behind; 0 on a node that does not record. */
  get events(): number {
    return this.#deps.isChosen() ? this.#behind.events : 0;
  }

  /** Age of the oldest event that was unrecorded at the last measurement, ms; 0 without one, and on a node that does not record. */
  get ageMs(): number {
    const { isChosen, clock } = this.#deps;
    const { since } = this.#behind;
    return since !== undefined && isChosen() ? Math.max(0, clock.now() - since) : 0;
  }

  /** Warning for operators, while recording is minutes behind. */
  get warning(): string | undefined {
    const { ageMs } = this;
    return ageMs > LATE ? `The recording of history is ${Math.floor(ageMs / MINUTE)} minutes behind.` : undefined;
  }

  /** Resolves when the lag has been measured. */
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
      // The previous measurement is outdated once this node records again.
      this.#behind = NONE;
      this.#wasLate = false;
      return;
    }
    try {
      this.#behind = await mostBehind(store);
      this.#alert();
    } catch (error) {
      if (!this.#rounds.ended) log.warn({ error }, "it could not be measured how far history is behind");
    }
  }

  /** Logs once when recording becomes late, and once when it has caught up. */
  #alert(): void {
    const { log } = this.#deps;
    const isLate = this.warning !== undefined;
    if (isLate === this.#wasLate) return;
    this.#wasLate = isLate;
    const { ageMs, events } = this;
    if (isLate) log.error({ events, ageMs }, "the recording of history is minutes behind");
    else log.info({ events, ageMs }, "the recording of history has caught up");
  }
}
