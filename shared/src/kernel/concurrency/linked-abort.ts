/**
 * Work that ends by itself, for example at a deadline, or because its caller ends.
 *
 * The link is a listener on the caller's signal that is taken off at the end. AbortSignal.any has no such end: on a signal that
 * lives as long as the process, each combined signal to which somebody listens stays in memory (1.2 KB), and one costs 20 us.
 */
import type { Clock } from "../time/clock.ts";

/** An abort controller that another signal aborts too, with its reason. `end` must be called when the work has ended. */
export class LinkedAbort {
  readonly #own = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #onOuter = () => this.#own.abort(this.#outer?.reason);

  /** @param outer no link when left out */
  constructor(outer: AbortSignal | undefined) {
    this.#outer = outer;
    if (outer?.aborted) this.#onOuter();
    else outer?.addEventListener("abort", this.#onOuter, { once: true });
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  abort(reason?: unknown): void {
    this.#own.abort(reason);
  }

  /** Takes the link away; the signal is aborted no more by the other. Safe to repeat. */
  end(): void {
    this.#outer?.removeEventListener("abort", this.#onOuter);
  }
}

export interface DeadlineOptions {
  /** Ends the work earlier, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Makes the reason of the abort when the time is over; an AbortError when left out. */
  readonly reason?: () => Error;
}

/** The time that a piece of work has. `end` must be called when the work has ended. */
export interface Deadline {
  /** Aborted when the time is over, or with the other signal. */
  readonly signal: AbortSignal;
  /** Whether the time was over before the other signal was aborted. */
  readonly isOver: boolean;
  /** Forgets timer and link. Safe to repeat. */
  end(): void;
}

/** Begins a deadline. @param name see {@link Clock.timer} */
export function deadline(clock: Clock, name: string, ms: number, { signal, reason }: DeadlineOptions): Deadline {
  const linked = new LinkedAbort(signal);
  let isOver = false;
  const timer = clock.timer(name, ms, () => {
    isOver = !linked.signal.aborted;
    linked.abort(reason?.());
  });
  return {
    signal: linked.signal,
    get isOver() {
      return isOver;
    },
    end() {
      timer.cancel();
      linked.end();
    },
  };
}
