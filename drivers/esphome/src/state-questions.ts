/**
 * Requests for the states of all entities; the protocol has none for a single entity.
 *
 * Requests that come close together are sent as one, because a device starts over with its first entity at each request. An answer looks
 * like a spontaneous state: a second, different state of an entity soon after a request may be the older one. It is ignored, and the device is
 * asked again.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";

/**
 * Requests within this time of the last one are merged with it, ms: a repeated request makes the device start again with its first
 * entity.
 */
const TOGETHER_MS = 200;

/** Delay of a new request after dropped states, ms. */
const SOON_MS = 1000;

/** How long after a request its answers may arrive, ms. */
const ANSWERS_WITHIN_MS = 5000;

/** Maximum repeated requests when two states of an entity contradict each other; then the last one counts. */
const MOST_REPEATS = 3;

export class StateQuestions implements Disposable {
  readonly #clock: Clock;
  readonly #send: () => void;
  /** States of the entities since the last request, as text. */
  readonly #reported = new Map<string, string>();
  #last = Number.NEGATIVE_INFINITY;
  #repeats = 0;
  #soon: Timer | undefined;

  constructor(clock: Clock, send: () => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /**
   * Requests all states, because the protocol has no request for a single one; skipped while the answer to a recent request is pending.
   * @param entity whose state is wanted; all when left out
   */
  ask(entity?: string): void {
    const isToCome = entity === undefined || !this.#reported.has(entity);
    if (this.#sinceLast() < TOGETHER_MS && isToCome) return;
    this.#repeats = 0;
    this.#askNow();
  }

  /**
   * Takes a state of an entity. An answer looks like a spontaneous report, so a second, different state soon after a request may be the
   * older one.
   * @returns false in that case; the device has then been asked again
   */
  reported(entity: string, state: object): boolean {
    const [before, now] = [this.#reported.get(entity), JSON.stringify(state)];
    this.#reported.set(entity, now);
    const isClear = before === undefined || before === now || this.#sinceLast() > ANSWERS_WITHIN_MS;
    if (isClear || this.#repeats >= MOST_REPEATS) return true;
    this.#repeats += 1;
    this.#askNow();
    return false;
  }

  /** Requests the states a second later. */
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
    this.#reported.clear();
    this.#send();
  }
}
