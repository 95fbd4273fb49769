/**
 * Questions for the states of all entities: the protocol has none for a single one. Several that come close together are one, because a
 * device that is asked again begins again with its first entity.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";

/** Questions within this time of the last one are that one, ms. */
const TOGETHER_MS = 200;
/** After states that were left aside, ms. */
const SOON_MS = 1000;

export class StateQuestions implements Disposable {
  readonly #clock: Clock;
  readonly #send: () => void;
  /** Entities that have told their states since the last question. */
  readonly #answered = new Set<string>();
  #last = Number.NEGATIVE_INFINITY;
  #soon: Timer | undefined;

  constructor(clock: Clock, send: () => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Asks now, unless it was just asked and the answer is still to come. @param entity whose state is wanted; all when left out */
  ask(entity?: string): void {
    const now = this.#clock.monotonic();
    const isToCome = entity === undefined || !this.#answered.has(entity);
    if (now - this.#last < TOGETHER_MS && isToCome) return;
    this.#last = now;
    this.#answered.clear();
    this.#send();
  }

  /** An entity has told its state. */
  answered(entity: string): void {
    this.#answered.add(entity);
  }

  /** Asks a second later. */
  askSoon(): void {
    this.#soon ??= this.#clock.timer("states to be asked for again", SOON_MS, () => {
      this.#soon = undefined;
      this.ask();
    });
  }

  [Symbol.dispose](): void {
    this.#soon?.cancel();
    this.#soon = undefined;
  }
}
