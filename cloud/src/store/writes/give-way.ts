/** Throttles background work in favour of hubs and users; all followers of a log share it. */
import { type Clock, sleep } from "@porchlight/shared/kernel";

/** While more jobs than this wait for the database the work pauses, but no longer than `LONGEST_WAIT`, ms. */
const WAITING = 32;
const LONGEST_WAIT = 2_000;
const STEP = 50;
/** While the thread is busy for more than this share of the time, the work takes one part in {@link RESTS} + 1 of it. */
const IN_USE = 0.25;
const RESTS = 9;

export interface GiveWayDeps {
  readonly store: { readonly work: { readonly waiting: number } };
  readonly clock: Clock;
  /** CPU time that the thread has used so far, ms. Without it, the work pauses for waiting jobs only. */
  readonly processorTime?: (() => number) | undefined;
}

/** Background work, done in portions one after another. */
export class GiveWay {
  readonly #deps: GiveWayDeps;
  readonly #name: string;
  /** When the last portion ended, monotonic, and its CPU time, ms. */
  #last = { endedAt: Number.NEGATIVE_INFINITY, used: 0 };

  /** @param name of its timers */
  constructor(deps: GiveWayDeps, name: string) {
    this.#deps = deps;
    this.#name = name;
  }

  /**
   * Runs the next portion, after a pause for other work.
   * @param isLate whether the backlog must not grow: then the work takes up to half of the time
   * @throws the signal's reason, and what the portion throws
   */
  async portion<T>(signal: AbortSignal, isLate: boolean, work: () => Promise<T>): Promise<T> {
    const { clock, processorTime = () => 0 } = this.#deps;
    await this.#waitForJobs(signal);
    await this.#rest(isLate ? 1 : RESTS, signal);
    const before = processorTime();
    try {
      return await work();
    } finally {
      this.#last = { endedAt: clock.monotonic(), used: processorTime() - before };
    }
  }

  async #waitForJobs(signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#deps;
    for (let waited = 0; store.work.waiting > WAITING && waited < LONGEST_WAIT; waited += STEP)
      await sleep(clock, this.#name, STEP, signal);
  }

  /** @param most longest pause while the thread is busy, as a multiple of the last portion's duration */
  async #rest(most: number, signal: AbortSignal): Promise<void> {
    const { clock, processorTime = () => 0 } = this.#deps;
    const { endedAt, used } = this.#last;
    while (clock.monotonic() - endedAt < most * used) {
      const [from, before] = [clock.monotonic(), processorTime()];
      await sleep(clock, this.#name, used, signal);
      if (processorTime() - before < IN_USE * (clock.monotonic() - from)) return;
    }
  }
}
