/**
 * Shares the reads in progress at home: a property that is being read is not read twice, and a read without a waiting caller is aborted
 * (A3.7).
 */
import type { Clock } from "@porchlight/shared/kernel";
import type { Failure } from "@porchlight/shared/tunnel";
import type { Commands } from "../../commands/index.ts";
import { type PropertyTarget, targetKey } from "../../state/index.ts";

export interface SharedReadsDeps {
  readonly clock: Clock;
  readonly commands: Pick<Commands, "read">;
  readonly mayTouch: () => boolean;
}

export interface ReadCall {
  /** Monotonic time of the answer to the caller. */
  readonly answerBy: number;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

interface UnderWay {
  readonly answerBy: number;
  readonly outcome: Promise<Failure | undefined>;
  readonly abandon: AbortController;
  waiting: number;
}

/** The device's deadline is this much earlier than the caller's, ms; a quarter of a short wait. */
const MARGIN_MS = 100;
const TIMED_OUT: Failure = { name: "Hub Timeout", detail: "The device did not answer in time." };

export class SharedReads {
  readonly #deps: SharedReadsDeps;
  readonly #underWay = new Map<string, UnderWay>();

  constructor(deps: SharedReadsDeps) {
    this.#deps = deps;
  }

  /** Reads a property into the hub's history; returns the reason of a failure. */
  async read(target: PropertyTarget, { answerBy, signal }: ReadCall): Promise<Failure | undefined> {
    const key = targetKey(target);
    const known = this.#underWay.get(key);
    // A read that ends earlier than this caller's deadline is not shared.
    const read = known && known.answerBy >= answerBy ? known : this.#begin(key, target, answerBy);
    read.waiting += 1;
    try {
      return await this.#wait(read, answerBy, signal);
    } finally {
      read.waiting -= 1;
      if (read.waiting === 0) {
        read.abandon.abort();
        if (this.#underWay.get(key) === read) this.#underWay.delete(key);
      }
    }
  }

  #begin(key: string, target: PropertyTarget, answerBy: number): UnderWay {
    const { clock, commands, mayTouch } = this.#deps;
    const abandon = new AbortController();
    const left = Math.max(0, answerBy - clock.monotonic());
    const deadline = answerBy - Math.min(MARGIN_MS, left / 4);
    const outcome = commands
      .read([target], { deadline, mayTouch, signal: abandon.signal })
      .then(([result]) => (result && "failure" in result ? result.failure : undefined));
    const read = { answerBy, outcome, abandon, waiting: 0 };
    this.#underWay.set(key, read);
    return read;
  }

  #wait({ outcome }: UnderWay, answerBy: number, signal: AbortSignal): Promise<Failure | undefined> {
    const { clock } = this.#deps;
    return new Promise((resolve, reject) => {
      const settle = (settled: () => void) => {
        timer.cancel();
        signal.removeEventListener("abort", leave);
        settled();
      };
      const leave = () => settle(() => resolve(TIMED_OUT));
      const timer = clock.timer("read at home", Math.max(0, answerBy - clock.monotonic()), leave);
      signal.addEventListener("abort", leave, { once: true });
      if (signal.aborted) leave();
      outcome.then(
        (failure) => settle(() => resolve(failure)),
        (error: unknown) => settle(() => reject(error)),
      );
    });
  }
}
