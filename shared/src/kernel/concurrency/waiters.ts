/** Callers that wait for an answer from another channel, each under a key and with its own deadline. */
import type { Clock, Timer } from "../time/clock.ts";

interface Waiter<V> {
  resolve(value: V): void;
  reject(reason: unknown): void;
}

export interface WaitOptions {
  /** Milliseconds until the wait fails with the error of `onTimeout`. */
  readonly timeoutMs: number;
  readonly onTimeout: () => Error;
  /** Ends the wait with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export class Waiters<K, V> {
  readonly #clock: Clock;
  readonly #name: string;
  readonly #waiting = new Map<K, Waiter<V>>();

  constructor(clock: Clock, name: string) {
    this.#clock = clock;
    this.#name = name;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Whether a caller waits under that key. */
  has(key: K): boolean {
    return this.#waiting.has(key);
  }

  /** Registers a wait. Call it before you send the request: the answer can arrive before the next line runs. */
  wait(key: K, options: WaitOptions): Promise<V> {
    return new Promise<V>((resolve, reject) => {
      if (options.signal?.aborted) return reject(options.signal.reason);
      let timer: Timer | undefined;
      const end = () => {
        timer?.cancel();
        options.signal?.removeEventListener("abort", onAbort);
        this.#waiting.delete(key);
      };
      const fail = (reason: unknown) => {
        end();
        reject(reason);
      };
      const onAbort = () => fail(options.signal?.reason);
      const succeed = (value: V) => {
        end();
        resolve(value);
      };
      this.#waiting.set(key, { resolve: succeed, reject: fail });
      timer = this.#clock.timer(this.#name, options.timeoutMs, () => fail(options.onTimeout()));
      options.signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Resolves the wait of that key; false when there is none. */
  settle(key: K, value: V): boolean {
    const waiter = this.#waiting.get(key);
    waiter?.resolve(value);
    return waiter !== undefined;
  }

  /** Rejects the wait of that key; false when there is none. */
  fail(key: K, reason: unknown): boolean {
    const waiter = this.#waiting.get(key);
    waiter?.reject(reason);
    return waiter !== undefined;
  }

  /** Rejects every wait at once, each with the error that `reason` creates for its key. */
  failAll(reason: (key: K) => unknown): void {
    for (const [key, waiter] of [...this.#waiting]) waiter.reject(reason(key));
  }
}
