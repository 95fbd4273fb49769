/** Writes that hold only for the version that was read. */
import { isPorchlightError } from "./errors.ts";

/** Attempts in all, before "Precondition Failed" is the result. */
const MOST_TRIES = 5;

/**
 * Repeats a read and its conditional write while other callers write in between.
 * @param attempt reads, and writes with `ifMatch` of what it read; `isAgain`: another caller was faster before
 * @throws what `attempt` throws; "Precondition Failed" after five attempts
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
