/** Turns what a driver's work does into a result, so that its author cannot say less than what may have happened. */
import type { Value } from "@porchlight/shared/model";
import { WatchedAttempt } from "./attempt.ts";
import type { Attempt, DriverResult } from "./driver.ts";
import { notApplied, rejected, unknownOutcome, valueResult } from "./results.ts";

/**
 * How work at a device ended, in its author's words. `now`: what the device says that the property is. `refused`: the device refused, and
 * did nothing. `unknown`: it has not answered; where nothing was sent, that means that nothing happened.
 */
export type Outcome =
  | { readonly now: Value }
  | { readonly refused: string; readonly code?: number | undefined }
  | { readonly unknown: string };

/**
 * Runs `work`, which must send only inside of `attempt.touch`. What it throws, as {@link Outcome} `unknown`, is `not_applied` when
 * nothing has been sent by then, and `unknown` otherwise. Never rejects.
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

/** Without an answer: unknown when the device was touched, not applied when it was not. */
export function unanswered({ isTouched }: Pick<WatchedAttempt, "isTouched">, detail: string): DriverResult {
  return isTouched ? unknownOutcome(detail) : notApplied(detail);
}
