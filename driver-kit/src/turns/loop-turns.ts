/**
 * Shares the event loop: work on devices' messages runs in slices, and the loop turns between them. Work that fits in a slice is done at
 * once.
 *
 * Invariants: work is done one after the other, in the order in which it was added; a slice ends at the first yield at which its steps
 * are used up.
 */
import { nextTurn } from "@porchlight/shared/kernel";

/** The loop may turn at each yield, which returns the number of steps (of some 10 µs) since the previous yield. */
export type Work<Result = void> = Generator<number, Result, undefined>;

/** Steps of a slice: some 10 ms. */
export const STEPS_OF_TURN = 1000;

export class LoopTurns {
  readonly #waiting: Work[] = [];
  /** Resolves the promises of `done`. */
  readonly #awaiting = new Set<() => void>();
  #current: Work | undefined;
  #steps = 0;
  #turn: NodeJS.Immediate | undefined;

  /** Number of queued works that have not begun. */
  get waiting(): number {
    return this.#waiting.length - this.#awaiting.size;
  }

  /** Whether any work is not finished. */
  get isBusy(): boolean {
    return this.#current !== undefined || this.#waiting.length > 0;
  }

  /** Starts the work now, as far as this turn of the loop allows, and continues in later turns. */
  run(work: Work): void {
    const isFirst = !this.isBusy;
    this.#waiting.push(work);
    if (isFirst) this.#goOn();
  }

  /** Undefined when there is no work; otherwise settles when all work that was added before is done or dropped. */
  done(): Promise<void> | undefined {
    if (!this.isBusy) return undefined;
    return new Promise((resolve) => {
      this.#awaiting.add(resolve);
      this.run(this.#reached(resolve));
    });
  }

  /** Drops all unfinished work, including the rest of work that has begun. */
  clear(): void {
    this.#waiting.length = 0;
    this.#current = undefined;
    for (const resolve of this.#awaiting) resolve();
    this.#awaiting.clear();
  }

  *#reached(resolve: () => void): Work {
    this.#awaiting.delete(resolve);
    resolve();
    yield 0;
  }

  #goOn(): void {
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      this.#steps = 0;
      if (this.isBusy) this.#goOn();
    });
    while (this.#steps < STEPS_OF_TURN) {
      this.#current ??= this.#waiting.shift();
      const work = this.#current;
      if (!work) return;
      this.#step(work);
    }
  }

  /** @throws the work's error, which ends it */
  #step(work: Work): void {
    let isOpen = false;
    try {
      const step = work.next();
      if (!step.done) this.#steps += step.value;
      isOpen = !step.done;
    } finally {
      // The work may have called `clear` itself.
      if (!isOpen && this.#current === work) this.#current = undefined;
    }
  }
}

/**
 * The result of work that does not wait in a queue.
 * @throws the work's error
 */
export async function doneInTurns<Result>(work: Work<Result>): Promise<Result> {
  for (let steps = 0; ; ) {
    const step = work.next();
    if (step.done) return step.value;
    steps += step.value;
    if (steps < STEPS_OF_TURN) continue;
    steps = 0;
    await nextTurn();
  }
}

/** Does all of the work at once, for a caller that cannot wait. */
export function doneAtOnce<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
