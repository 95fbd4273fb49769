/** Requests that wait for the window: commands before what the hub asks by itself, and none past its deadline. */
import type { Attempt } from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";

interface Waiting<T> {
  readonly item: T;
  /** Ends the watch on its deadline and its asker. */
  readonly forget: () => void;
}

export class RequestQueue<T> {
  readonly #clock: Clock;
  #commands: Waiting<T>[] = [];
  #background: Waiting<T>[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Lets it wait.
   * @param attempt none for what the hub asks by itself
   * @param first before the others of its kind: it has had its turn
   * @param tooLate called, with the item taken out, at its deadline or when its asker goes
   */
  add(item: T, attempt: Attempt | undefined, first: boolean, tooLate: () => void): void {
    if (!attempt) {
      put(this.#background, { item, forget: () => undefined }, first);
      return;
    }
    const end = () => {
      waiting.forget();
      this.#commands = this.#commands.filter((other) => other !== waiting);
      tooLate();
    };
    const left = attempt.deadline - this.#clock.monotonic();
    const timer = this.#clock.timer("request that waits for its turn", left, end);
    attempt.signal?.addEventListener("abort", end, { once: true });
    const forget = () => {
      timer.cancel();
      attempt.signal?.removeEventListener("abort", end);
    };
    const waiting = { item, forget };
    put(this.#commands, waiting, first);
  }

  /** Takes out the first that may go. */
  takeFirst(mayGo: (item: T) => boolean): T | undefined {
    for (const queue of [this.#commands, this.#background]) {
      const at = queue.findIndex(({ item }) => mayGo(item));
      if (at === -1) continue;
      const [waiting] = queue.splice(at, 1);
      waiting?.forget();
      return waiting?.item;
    }
    return undefined;
  }

  /** Takes out all. */
  takeAll(): T[] {
    const all = [...this.#commands, ...this.#background];
    this.#commands = [];
    this.#background = [];
    for (const { forget } of all) forget();
    return all.map(({ item }) => item);
  }
}

function put<T>(queue: Waiting<T>[], waiting: Waiting<T>, first: boolean): void {
  if (first) queue.unshift(waiting);
  else queue.push(waiting);
}
