/** How work in the background lets what hubs and people wait for go first: its own file because whoever follows a log does it alike. */
import { type Clock, sleep } from "@porchlight/shared/kernel";

/** While so many jobs wait for the database the work waits too, but no longer than this, ms. */
const WAITING = 32;
const LONGEST_WAIT = 2_000;
const STEP = 50;
/** While the thread is in use for this share of the time, the work takes one part in {@link RESTS} + 1 of it. */
const IN_USE = 0.25;
const RESTS = 9;

export interface GiveWayDeps {
  readonly store: { readonly work: { readonly waiting: number } };
  readonly clock: Clock;
  /** Processor time that the thread has used so far, ms. Without, the work only waits for jobs. */
  readonly processorTime?: (() => number) | undefined;
}

/** Work in the background, done in portions one after another. */
export class GiveWay {
  readonly #deps: GiveWayDeps;
  readonly #name: string;
  /** When the last portion ended, monotonic, and what it took of the processor, ms. */
  #last = { endedAt: Number.NEGATIVE_INFINITY, used: 0 };

  /** @param name of its timers */
  constructor(deps: GiveWayDeps, name: string) {
    this.#deps = deps;
    this.#name = name;
  }

  /**
   * Does the next portion, once others have had their time.
   * @param isLate whether so much is left to do that it must not become more: then it takes up to half of the time
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

  /** @param most how many times as long as the last portion took, while others use the thread */
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
