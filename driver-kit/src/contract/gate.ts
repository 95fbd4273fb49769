/** What commands wait at while a device is described and read: apart, so that waiting within a deadline is written once. */
import type { Clock } from "@porchlight/shared/kernel";
import type { Attempt } from "./driver.ts";

/** How long is waited, and for whom. */
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

  /** Lets everyone look again, open or not: what they waited for will not come. */
  release(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Settles when the gate opens, is released, or the attempt has no time or no asker left. Look at `isOpen` afterwards. */
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
