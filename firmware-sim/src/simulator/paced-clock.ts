/** A clock that runs faster or slower than another, or stands still; its speed can change at any time. */
import type { Clock, Timer } from "@porchlight/shared/kernel";

interface Pending {
  readonly name: string;
  /** Monotonic ms of this clock. */
  readonly due: number;
  readonly order: number;
  readonly fire: () => void;
  timer: Timer | undefined;
}

export class PacedClock implements Clock {
  readonly #base: Clock;
  readonly #pending = new Set<Pending>();
  /** Wall-clock ms at this clock's zero. */
  readonly #wall: number;
  #speed: number;
  /** Readings of the two clocks at the last change of speed. */
  #baseThen: number;
  #ownThen = 0;
  #order = 0;

  /** @param speed seconds of this clock in one of `base`; 0 stands still */
  constructor(base: Clock, speed = 1) {
    this.#base = base;
    this.#speed = speed;
    this.#wall = base.now();
    this.#baseThen = base.monotonic();
  }

  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#moveTo(this.monotonic());
    this.#speed = speed;
    this.#armAll();
  }

  now(): number {
    return this.#wall + this.monotonic();
  }

  /** ms since its creation. */
  monotonic(): number {
    return this.#ownThen + (this.#base.monotonic() - this.#baseThen) * this.#speed;
  }

  timer(name: string, ms: number, fire: () => void): Timer {
    const due = this.monotonic() + Math.max(0, ms);
    const entry: Pending = { name, due, order: this.#order++, fire, timer: undefined };
    this.#pending.add(entry);
    this.#arm(entry);
    return {
      cancel: () => {
        entry.timer?.cancel();
        this.#pending.delete(entry);
      },
    };
  }

  /** Advances by `ms` at once and fires each timer at its own time: the way that time passes on a stopped clock. */
  step(ms: number): void {
    const end = this.monotonic() + ms;
    for (let next = this.#soonest(end); next; next = this.#soonest(end)) {
      this.#moveTo(Math.max(next.due, this.#ownThen));
      this.#fire(next);
    }
    this.#moveTo(end);
    this.#armAll();
  }

  #moveTo(own: number): void {
    this.#ownThen = own;
    this.#baseThen = this.#base.monotonic();
  }

  #armAll(): void {
    for (const entry of [...this.#pending].sort(byDue)) this.#arm(entry);
  }

  #arm(entry: Pending): void {
    entry.timer?.cancel();
    const left = Math.max(0, entry.due - this.monotonic());
    entry.timer =
      this.#speed === 0 ? undefined : this.#base.timer(entry.name, left / this.#speed, () => this.#fire(entry));
  }

  #fire(entry: Pending): void {
    entry.timer?.cancel();
    if (this.#pending.delete(entry)) entry.fire();
  }

  #soonest(end: number): Pending | undefined {
    return [...this.#pending].filter(({ due }) => due <= end).sort(byDue)[0];
  }
}

function byDue(a: Pending, b: Pending): number {
  return a.due - b.due || a.order - b.order;
}
