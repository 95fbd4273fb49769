/**
 * Requests to one bridge, one after another and not too fast: it refuses more, and drops commands to lamps when they come in a rush. Of values
 * for the same property that wait, as a drag makes them, the newest survives.
 */
import { type Clock, sleep } from "@porchlight/shared/kernel";
import type { ApiAnswer } from "./bridge-api.ts";
import { isBusy } from "./bridge-failures.ts";

/** From the beginning of one request to that of the next, ms: the bridge takes ten commands a second. */
const SPACING_MS = 100;
/** After the bridge has said that it is asked too much, ms. */
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

  /** @param signal aborted when no more is sent */
  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /**
   * @param key of what is set: what waits under the same gives way; undefined for a request that never does
   * @param work sends the request, when it is its turn
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

  /** Gives how long after its beginning the next may be sent, ms. */
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

/** It was not sent: a newer value for the same property came first. */
class Superseded extends Error {
  constructor() {
    super("A newer value was set before this one was sent.");
  }
}
