/** Retries conditional writes whose version is outdated. */
import { isPorchlightError } from "./errors.ts";

/** Total number of attempts before the call fails with "Precondition Failed". */
const MOST_TRIES = 5;

/**
 * Repeats a read and its conditional write when another caller writes in between.
 * @param attempt reads, and writes with `ifMatch` of what it read; `isAgain`: another caller wrote first before
 * @throws the error of `attempt`; "Precondition Failed" after five attempts
 */
export async function retryOnConflict<T>(attempt: (isAgain: boolean) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(tries > 1);
    } catch (error) {
      if (!isPorchlightError(error, "Precondition Failed") || tries === MOST_TRIES) throw error;
    }
  }
}
