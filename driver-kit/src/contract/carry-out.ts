/** Turns the end of a driver's work into a result, so that no driver reports a narrower outcome than what may have happened. */

import type { Clock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import type { Attempt, DriverResult } from "./driver.ts";

/**
 * How work at a device ended, as the driver's author states it. `now`: the device reports this value of the property. `refused`: the
 * device refused and did nothing. `unknown`: the device has not answered; if nothing was sent, nothing happened.
 */
export type Outcome =
  | { readonly now: Value }
  | { readonly refused: string; readonly code?: number | undefined }
  | { readonly unknown: string };

/**
 * Runs `work`, which must send only inside `attempt.touch`. An error of `work`, like {@link Outcome} `unknown`, becomes `not_applied`
 * when nothing has been sent by then, and `unknown` otherwise. Never rejects.
 */
export async function carryOut(
  attempt: Attempt,
  work: (attempt: Attempt) => Outcome | Promise<Outcome>,
): Promise<DriverResult> {
  const watched = new WatchedAttempt(attempt);
  try {
    const outcome = await work(watched);
    if ("now" in outcome) return valueResult(outcome.now);
    if ("refused" in outcome) return { ...rejected(outcome.refused), code: outcome.code };
    return unanswered(watched, outcome.unknown);
  } catch (failure) {
    return unanswered(watched, failure instanceof Error ? failure.message : String(failure));
  } finally {
    watched.end();
  }
}

/** The result when the device did not answer: unknown when it was touched, not applied when it was not. */
export function unanswered({ isTouched }: Pick<WatchedAttempt, "isTouched">, detail: string): DriverResult {
  return isTouched ? unknownOutcome(detail) : notApplied(detail);
}

/** Results of a failed attempt, by what is known of the device afterwards. */
export type FailedResult = Extract<DriverResult, { kind: "failed" }>;

export function valueResult(value: Value): DriverResult {
  return { kind: "value", value };
}

/** Nothing has touched the device. */
export function notApplied(detail: string): FailedResult {
  return { kind: "failed", name: "Device Unreachable", outcome: "not_applied", detail };
}

/** The device may or may not have acted. */
export function unknownOutcome(
  detail: string,
  name: "Device Unreachable" | "Hub Timeout" = "Device Unreachable",
): FailedResult {
  return { kind: "failed", name, outcome: "unknown", detail };
}

/** The device refused. */
export function rejected(detail: string): FailedResult {
  return { kind: "failed", name: "Device Rejected", outcome: "rejected", detail };
}

/** The permission that a caller grants to a driver: a driver reaches its hardware only through the attempt made of it. */
export interface Permit {
  /** On the clock's monotonic time, ms: the hardware is not touched after it. */
  readonly deadline: number;
  /** Called right before every touch: whether the caller still permits it. */
  readonly mayTouch: () => boolean;
  /** Aborted when the caller no longer waits. */
  readonly signal?: AbortSignal | undefined;
  /** ID of the command that is executed. */
  readonly command?: string | undefined;
}

/** The hardware must not be touched any more, and was not touched. */
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

/** An attempt that records whether the hardware was touched, and that can end before its deadline. */
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

  /** An arrow function in a field, because drivers pass it on detached from the attempt. */
  readonly touch = <T>(send: () => T): T => {
    if (this.#isEnded) throw new NotTouched();
    return this.#attempt.touch(() => {
      this.#isTouched = true;
      return send();
    });
  };

  /** The attempt has been answered: the hardware is not touched from now on. */
  end(): void {
    this.#isEnded = true;
  }
}
