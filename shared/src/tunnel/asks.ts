/** What one end of a tunnel has asked: who waits for which answer, also for one that comes too late. Apart from `peer.ts`, because an idle tunnel has none. */
import { BoundedMap, type Clock, Waiters } from "../kernel/index.ts";

type OnLate = (result: unknown) => void;

/** Asks whose late answers are awaited; beyond it the oldest is forgotten. */
const MOST_LATE = 10_000;

export class Asks {
  readonly waiters: Waiters<number, unknown>;
  /** Asks that timed out, and who is told of their answers. */
  #late: BoundedMap<number, OnLate> | undefined;
  #lastId = 0;
  /** Requests are handed to the socket in the order of their ids. */
  #lastSent = 0;

  constructor(clock: Clock) {
    this.waiters = new Waiters(clock, "tunnel answer");
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** The request is being handed to the socket; false, and it must not be, when nobody waits for its answer any more. */
  sends(id: number): boolean {
    this.#lastSent = id;
    return this.waiters.has(id);
  }

  wasSent(id: number): boolean {
    return id <= this.#lastSent;
  }

  awaitLate(id: number, onLate: OnLate): void {
    this.#late ??= new BoundedMap(MOST_LATE);
    this.#late.set(id, onLate);
  }

  /** Who is told of the late answer. */
  takeLate(id: number): OnLate | undefined {
    const onLate = this.#late?.get(id);
    this.#late?.delete(id);
    return onLate;
  }

  forgetLate(): void {
    this.#late?.clear();
  }
}
