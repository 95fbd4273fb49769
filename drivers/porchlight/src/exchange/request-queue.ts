/** Requests of the hub before they have a seq: what a caller asks for, and the queue in which it waits for room in the window. */
import type { Attempt } from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import type { Message, MessageName } from "@porchlight/shared/wire";

export interface Ask {
  readonly make: (seq: number) => Message;
  readonly answer: MessageName;
  /** The request changes something at the device: its repetitions must be recognised as such. */
  readonly acts?: boolean;
  /** The permission that is checked before every try; absent for the hub's own requests, which yield to commands. */
  readonly attempt?: Attempt | undefined;
  /** Records the node's other statements about the property meanwhile. */
  readonly watch?: RequestWatch | undefined;
}

export interface RequestWatch {
  /** The first copy of a seq has left. */
  left(): void;
  /** The answer has come. */
  answered(): void;
}

interface Waiting<T> {
  readonly item: T;
  /** Ends the watch on its deadline and its caller's signal. */
  readonly forget: () => void;
}

/** Requests that wait for the window: commands before the hub's own requests, and none past its deadline. */
export class RequestQueue<T> {
  readonly #clock: Clock;
  #commands: Waiting<T>[] = [];
  #background: Waiting<T>[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Adds a request.
   * @param attempt absent for the hub's own requests
   * @param first before the others of its kind, because it has had its turn
   * @param tooLate called, with the item removed, at its deadline or when its caller gives up
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

  /** Removes the first item that may go. */
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

  /** Removes all items. */
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
