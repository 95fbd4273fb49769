/** A clock that moves only on request: the time of tests, of `test/world` and of a simulation that runs fast. */
import type { Clock, Timer } from "./clock.ts";

interface Pending {
  readonly name: string;
  readonly due: number;
  readonly order: number;
  readonly fire: () => void;
}

/** Lets everything that is already runnable (promises, immediates, finished I/O callbacks) run. */
export async function settle(turns = 4): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await nextTurn();
}

/** Turns of the event loop to wait at the limit: some seconds on a quiet machine. */
const LAST_TURNS = 500_000;

export class VirtualClock implements Clock {
  #elapsed = 0;
  #wall: number;
  #order = 0;
  readonly #pending = new Set<Pending>();

  /** @param wall wall-clock time at the start, ms since 1970 UTC */
  constructor(wall = Date.UTC(2026, 0, 1)) {
    this.#wall = wall;
  }

  now(): number {
    return this.#wall + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  timer(name: string, ms: number, fire: () => void): Timer {
    const entry: Pending = { name, due: this.#elapsed + Math.max(0, ms), order: this.#order++, fire };
    this.#pending.add(entry);
    return { cancel: () => void this.#pending.delete(entry) };
  }

  /** Moves only the wall clock by `ms`, as a user or NTP does on a hub. */
  jumpWall(ms: number): void {
    this.#wall += ms;
  }

  /** Names of the pending timers, soonest first. */
  pending(): string[] {
    return [...this.#pending].sort(byDue).map((entry) => entry.name);
  }

  /** The time at which the next timer fires; undefined when none is pending. */
  get due(): number | undefined {
    return this.#soonest(Number.POSITIVE_INFINITY)?.due;
  }

  /** Moves time forward by `ms`; fires each timer at its own time and lets its consequences run. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await settle();
    for (let next = this.#soonest(end); next; next = this.#soonest(end)) {
      this.#fire(next);
      await settle();
    }
    this.#elapsed = end;
    await settle();
  }

  /**
   * Moves time forward, timer by timer, until `promise` is settled, and returns its result. At `limitMs` of virtual time the clock
   * stops, and `turns` of the event loop remain for disk or database work, which takes real time.
   * @throws Error when it is still open then
   */
  async until<T>(promise: Promise<T>, limitMs = 600_000, turns = LAST_TURNS): Promise<T> {
    let open = true;
    const done = promise.finally(() => {
      open = false;
    });
    done.catch(() => undefined);
    const end = this.#elapsed + limitMs;
    await settle();
    for (let left = turns; open; ) {
      const next = this.#soonest(end);
      if (next) this.#fire(next);
      else if (left-- === 0) throw new Error(`nothing settled it within ${limitMs} ms of virtual time`);
      await settle();
    }
    return done;
  }

  /** Moves time forward in the same way until `isSo` returns true. @throws Error when it is still false at the limit */
  async untilSo(isSo: () => boolean, limitMs?: number): Promise<void> {
    let isWaiting = true;
    const look = async () => {
      while (isWaiting && !isSo()) await settle(1);
    };
    try {
      await this.until(look(), limitMs);
    } finally {
      isWaiting = false;
    }
  }

  #fire(entry: Pending): void {
    this.#pending.delete(entry);
    this.#elapsed = Math.max(this.#elapsed, entry.due);
    entry.fire();
  }

  #soonest(end: number): Pending | undefined {
    let soonest: Pending | undefined;
    for (const entry of this.#pending) {
      if (entry.due <= end && (!soonest || byDue(entry, soonest) < 0)) soonest = entry;
    }
    return soonest;
  }
}

function byDue(a: Pending, b: Pending): number {
  return a.due - b.due || a.order - b.order;
}

/**
 * Resolves in the next turn of the event loop, after the input and timers that are due: for long work in slices, and for loops over a
 * store that answers at once.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
