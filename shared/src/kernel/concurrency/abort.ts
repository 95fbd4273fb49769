/**
 * Abort signals: for work that ends on its own, for example at a deadline, or when its caller aborts; and waits for an abort.
 *
 * The link is a listener on the caller's signal, removed at the end. AbortSignal.any cannot be removed: on a signal that lives as long
 * as the process, each combined signal with a listener stays in memory (1.2 KB), and one costs 20 us.
 */
import type { Clock } from "../time/clock.ts";

/** An abort controller that an outer signal aborts too, with its reason. Call `end` when the work has ended. */
export class LinkedAbort {
  readonly #own = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #onOuter = () => this.#own.abort(this.#outer?.reason);

  /** @param outer no link when omitted */
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

  /** Removes the link: the outer signal no longer aborts this one. Safe to repeat. */
  end(): void {
    this.#outer?.removeEventListener("abort", this.#onOuter);
  }
}

interface DeadlineOptions {
  /** Aborts the work earlier, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Creates the reason of the abort when the time is over; an AbortError when omitted. */
  readonly reason?: () => Error;
}

/** The time limit of some work. Call `end` when the work has ended. */
export interface Deadline {
  /** Aborted when the time is over, or by the other signal. */
  readonly signal: AbortSignal;
  /** Whether the time was over before the other signal was aborted. */
  readonly isOver: boolean;
  /** Cancels the timer and the link. Safe to repeat. */
  end(): void;
}

/** Starts a deadline. @param name see {@link Clock.timer} */
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

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/**
 * The result of the work. @throws the error of the work; or the signal's reason as soon as it is aborted, while the work continues and
 * its result is ignored
 */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
