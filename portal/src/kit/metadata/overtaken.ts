/** Writes that hold only over the version that was read. */
import { isPorchlightError } from "@porchlight/sdk";

/** So often somebody may be quicker before it is an error. */
const TRIES = 5;

/**
 * Reads and writes again when somebody else has written in between.
 * @param attempt reads, and writes with the entity tag of what it read; `isAgain`: it was overtaken before
 * @throws whatever the attempt throws; "Precondition Failed" when others write all the time
 */
export async function unlessOvertaken<T>(attempt: (isAgain: boolean) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt(tries > 1);
    } catch (error) {
      if (!isPorchlightError(error, "Precondition Failed") || tries === TRIES) throw error;
    }
  }
}
