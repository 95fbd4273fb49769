/**
 * Requests to one bridge in order and at a limited rate: a bridge refuses more, and drops commands to lamps that arrive in a burst. Of
 * waiting values for one property, the newest is sent.
 */
import { type Clock, sleep } from "@porchlight/shared/kernel";
import { type ApiAnswer, isBusy } from "./bridge-failures.ts";

/**
 * Interval between the starts of two requests, ms: the bridge accepts ten commands a second, and drops commands to lamps when they come
 * in a rush.
 */
const SPACING_MS = 100;

/** Delay after the bridge has reported too many requests, ms. */
const BUSY_MS = 1000;

interface Waiting {
  readonly key: string | undefined;
  readonly work: () => Promise<ApiAnswer>;
  readonly done: PromiseWithResolvers<ApiAnswer>;
}

export class PacedRequests {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #waiting: Waiting[] = [];
  #isRunning = false;

  /** @param signal aborted when nothing more may be sent */
  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /**
   * Runs the request in its turn. A newer value replaces a waiting one for the same property, such as during a drag.
   * @param key of the property; undefined for a request that is never replaced
   * @param work sends the request
   * @throws Superseded, what the work throws, the signal's reason
   */
  run(key: string | undefined, work: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
    const done = Promise.withResolvers<ApiAnswer>();
    const older = key === undefined ? -1 : this.#waiting.findIndex((each) => each.key === key);
    if (older >= 0) this.#waiting.splice(older, 1)[0]?.done.reject(new Superseded());
    this.#waiting.push({ key, work, done });
    if (!this.#isRunning) void this.#runAll();
    return done.promise;
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const beganAt = this.#clock.monotonic();
      const spacing = await this.#run(next);
      const left = beganAt + spacing - this.#clock.monotonic();
      if (left > 0) await sleep(this.#clock, "next request to a bridge", left, this.#signal).catch(() => undefined);
    }
    this.#isRunning = false;
  }

  /** @returns the delay from its start to the next request, ms */
  async #run({ work, done }: Waiting): Promise<number> {
    try {
      this.#signal.throwIfAborted();
      const answer = await work();
      done.resolve(answer);
      return isBusy(answer.status) ? BUSY_MS : SPACING_MS;
    } catch (failure) {
      done.reject(failure);
      return SPACING_MS;
    }
  }
}

/** The request was not sent, because a newer value for the same property replaced it. */
class Superseded extends Error {
  constructor() {
    super("A newer value was set before this one was sent.");
  }
}
