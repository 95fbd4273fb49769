/** The machine's clock at a speed of its own, for those who do nothing but wait: ten minutes without a service go by in half of one. */
import { type Clock, systemClock, type Timer } from "@porchlight/shared/kernel";

interface Pending {
  readonly due: number;
  readonly fire: () => void;
  timer: Timer;
}

export class HurriedClock implements Clock {
  #speed = 1;
  #from = systemClock.monotonic();
  #atFrom = systemClock.monotonic();
  readonly #pending = new Set<Pending>();

  /** The wall's, which is not hurried: it only stamps. */
  now(): number {
    return systemClock.now();
  }

  monotonic(): number {
    return this.#atFrom + (systemClock.monotonic() - this.#from) * this.#speed;
  }

  timer(name: string, ms: number, fire: () => void): Timer {
    const pending = { due: this.monotonic() + ms, fire, timer: { cancel: () => undefined } };
    this.#pending.add(pending);
    this.#arm(pending, name);
    return {
      cancel: () => {
        pending.timer.cancel();
        this.#pending.delete(pending);
      },
    };
  }

  /** From now on so many seconds go by in one. */
  run(speed: number): void {
    this.#atFrom = this.monotonic();
    this.#from = systemClock.monotonic();
    this.#speed = speed;
    for (const pending of this.#pending) this.#arm(pending, "hurried");
  }

  #arm(pending: Pending, name: string): void {
    pending.timer.cancel();
    pending.timer = systemClock.timer(name, (pending.due - this.monotonic()) / this.#speed, () => {
      this.#pending.delete(pending);
      pending.fire();
    });
  }
}
