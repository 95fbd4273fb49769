/**
 * Questions for the states of all entities: the protocol has none for a single one. Several that come close together are one, because a
 * device that is asked again begins again with its first entity.
 *
 * An answer looks like a state that the device tells by itself. A second, other state of an entity soon after a question may therefore be
 * the older one: it is left aside, and the device is asked again.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";

/** Questions within this time of the last one are that one, ms. */
const TOGETHER_MS = 200;
/** After states that were left aside, ms. */
const SOON_MS = 1000;
/** How long after a question its answer may come, ms. */
const ANSWERS_WITHIN_MS = 5000;
/** How often it is asked again because two states of an entity contradict each other; then the last one counts. */
const MOST_REPEATS = 3;

export class StateQuestions implements Disposable {
  readonly #clock: Clock;
  readonly #send: () => void;
  /** What entities have told since the last question, as text. */
  readonly #told = new Map<string, string>();
  #last = Number.NEGATIVE_INFINITY;
  #repeats = 0;
  #soon: Timer | undefined;

  constructor(clock: Clock, send: () => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Asks now, unless it was just asked and the answer is still to come. @param entity whose state is wanted; all when left out */
  ask(entity?: string): void {
    const isToCome = entity === undefined || !this.#told.has(entity);
    if (this.#sinceLast() < TOGETHER_MS && isToCome) return;
    this.#repeats = 0;
    this.#askNow();
  }

  /** An entity has told its state. False when that may be of before what it has told already: then the device has been asked again. */
  told(entity: string, state: object): boolean {
    const [before, now] = [this.#told.get(entity), JSON.stringify(state)];
    this.#told.set(entity, now);
    const isClear = before === undefined || before === now || this.#sinceLast() > ANSWERS_WITHIN_MS;
    if (isClear || this.#repeats >= MOST_REPEATS) return true;
    this.#repeats += 1;
    this.#askNow();
    return false;
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

  #sinceLast(): number {
    return this.#clock.monotonic() - this.#last;
  }

  #askNow(): void {
    this.#last = this.#clock.monotonic();
    this.#told.clear();
    this.#send();
  }
}
