/** A gate at which commands wait while a device is described and read: its own file, so that waiting within a deadline is written once. */
import type { Clock } from "@porchlight/shared/kernel";
import type { Attempt } from "./driver.ts";

/** How long a caller waits, and the caller's signal. */
export type Patience = Pick<Attempt, "deadline" | "signal">;

export class Gate {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #isOpen = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  open(): void {
    this.#isOpen = true;
    this.release();
  }

  shut(): void {
    this.#isOpen = false;
  }

  /** Wakes all waiters, open or not: the state that they waited for will not come. */
  release(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Settles when the gate opens or is released, the deadline passes, or the caller no longer waits. Check `isOpen` afterwards. */
  wait({ deadline, signal }: Patience): Promise<void> {
    return new Promise((resolve) => {
      const left = deadline - this.#clock.monotonic();
      if (this.#isOpen || left <= 0 || signal?.aborted) return resolve();
      const wake = () => {
        timer.cancel();
        signal?.removeEventListener("abort", wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = this.#clock.timer("command that waits for its device", left, wake);
      signal?.addEventListener("abort", wake, { once: true });
      this.#waiting.add(wake);
    });
  }
}
