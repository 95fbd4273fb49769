/** What the token of this console may not see is left out of an answer, instead of ending the command. */
import { isPorchlightError } from "@porchlight/sdk";

/** Nothing of what the caller may not see. @throws PorchlightError for any other reason */
export async function allowed<T>(ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await ask();
  } catch (failure) {
    if (isPorchlightError(failure) && [400, 403, 404].includes(failure.status ?? 0)) return [];
    throw failure;
  }
}
