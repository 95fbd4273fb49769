/** What a driver may do, by whose permission and until when: its own file because no driver can reach its hardware past it. */
import type { Clock } from "@porchlight/shared/kernel";
import type { Attempt } from "./driver.ts";

/** What a caller of a driver grants. */
export interface Permit {
  /** On the clock's monotonic time, ms: the hardware is not touched after it. */
  readonly deadline: number;
  /** Asked again right before every touch: whether the caller may still have the device touched. */
  readonly mayTouch: () => boolean;
  /** Aborted when the caller no longer waits. */
  readonly signal?: AbortSignal | undefined;
  /** ID of the command that is carried out. */
  readonly command?: string | undefined;
}

/** The hardware may not be touched any more, and was not. */
export class NotTouched extends Error {
  constructor() {
    super("The time or the permission to ask the device had ended.");
  }
}

/** The attempt that a permit allows. */
export function attemptOf(clock: Clock, { deadline, mayTouch, signal, command }: Permit): Attempt {
  return {
    deadline,
    signal,
    command,
    touch: (send) => {
      if (clock.monotonic() >= deadline || signal?.aborted || !mayTouch()) throw new NotTouched();
      return send();
    },
  };
}

/** An attempt of which it is known whether the hardware was touched, and which can be ended before its deadline. */
export class WatchedAttempt implements Attempt {
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  readonly command: string | undefined;
  readonly #attempt: Attempt;
  #isTouched = false;
  #isEnded = false;

  constructor(attempt: Attempt) {
    this.deadline = attempt.deadline;
    this.signal = attempt.signal;
    this.command = attempt.command;
    this.#attempt = attempt;
  }

  /** Whether `touch` has run a `send`: the device may have acted. */
  get isTouched(): boolean {
    return this.#isTouched;
  }

  /** A field, because drivers hand it on by itself. */
  readonly touch = <T>(send: () => T): T => {
    if (this.#isEnded) throw new NotTouched();
    return this.#attempt.touch(() => {
      this.#isTouched = true;
      return send();
    });
  };

  /** From now on the hardware is not touched: the attempt has been answered. */
  end(): void {
    this.#isEnded = true;
  }
}
