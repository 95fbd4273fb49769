/**
 * Keeps one connection: connects again whenever it has ended, after waits that grow, or after a fixed wait where only a person can change
 * the reason. Its own file because every driver with a connection for each device needs it.
 */
import { Backoff, type BackoffPolicy, type Clock, LinkedAbort, type Random, sleep } from "@porchlight/shared/kernel";

/** Why there is no connection. */
export interface Reason {
  /** A sentence for people. */
  readonly message: string;
}

export interface RetriesDeps<R extends Reason> {
  readonly clock: Clock;
  readonly random: Random;
  readonly backoff?: BackoffPolicy | undefined;
  /** Whether there is still something to connect to. */
  readonly goesOn: () => boolean;
  /**
   * Runs one connection from its start to its end and resolves with the reason for the end. It calls `stands` when the connection works.
   * Never rejects.
   */
  readonly once: (signal: AbortSignal, stands: () => void) => Promise<R>;
  /** A fixed wait, ms; undefined: the next of the waits that grow. */
  readonly waitMs: (reason: R) => number | undefined;
  /** Called for each connection that has ended. `isNews`: the reason differs from the previous one. */
  readonly ended: (reason: R, isNews: boolean) => void;
}

const BACKOFF: BackoffPolicy = { firstMs: 1000, capMs: 60_000, stableMs: 60_000 };

export class Retries<R extends Reason> {
  readonly #deps: RetriesDeps<R>;
  readonly #outcomes = new Set<(outcome: R | "connected") => void>();
  #wait: LinkedAbort | undefined;
  #reason: R | undefined;

  constructor(deps: RetriesDeps<R>) {
    this.#deps = deps;
  }

  /** Why there is no connection; undefined while there is one, and at first. */
  get reason(): R | undefined {
    return this.#reason;
  }

  /** Settles with the signal, or when there is no longer anything to connect to. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, random, backoff = BACKOFF, goesOn, once, waitMs } = this.#deps;
    const waits = new Backoff(backoff, random);
    while (goesOn() && !signal.aborted) {
      let stoodSince: number | undefined;
      const reason = await once(signal, () => {
        stoodSince = clock.monotonic();
        this.#connected();
      });
      if (signal.aborted) return;
      this.#tell(reason);
      const lasted = stoodSince === undefined ? 0 : clock.monotonic() - stoodSince;
      const ms = waitMs(reason) ?? waits.next(lasted);
      this.#wait = new LinkedAbort(signal);
      await sleep(clock, "device to be tried again", ms, this.#wait.signal).catch(() => undefined);
      this.#wait.end();
      this.#wait = undefined;
    }
  }

  /** Ends a wait for the next try at once. */
  poke(): void {
    this.#wait?.abort(new Error("something has changed"));
  }

  /** The result of the next try. @throws the signal's reason */
  outcome(signal: AbortSignal): Promise<R | "connected"> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#outcomes.delete(settle);
        reject(signal.reason);
      };
      const settle = (outcome: R | "connected") => {
        signal.removeEventListener("abort", leave);
        this.#outcomes.delete(settle);
        resolve(outcome);
      };
      this.#outcomes.add(settle);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #connected(): void {
    this.#reason = undefined;
    for (const settle of [...this.#outcomes]) settle("connected");
  }

  #tell(reason: R): void {
    const isNews = this.#reason?.message !== reason.message;
    this.#reason = reason;
    this.#deps.ended(reason, isNews);
    for (const settle of [...this.#outcomes]) settle(reason);
  }
}
