/** How a program of ours ends when its command line fails: what is said on stderr, and the exit status for it. */
import { SettingsError } from "./problem.ts";

const FAILED = 1;
const WRONG_USAGE = 2;

/**
 * Says what went wrong, unless it has been said, and gives the status for it.
 * @param err where it is said: on stderr, when left out
 * @param isPlain whether the failure's own sentence says it all; of any other, the stack is shown
 */
export function exitStatusOf(
  program: string,
  failure: unknown,
  isPlain: (failure: unknown) => boolean,
  err: (text: string) => void = (text) => void process.stderr.write(text),
): number {
  if (failure instanceof Error && "exitCode" in failure && "code" in failure) {
    // Commander has printed its own words: help and version are no mistakes.
    return failure.exitCode === 0 ? 0 : WRONG_USAGE;
  }
  if (failure instanceof SettingsError) {
    err(`${failure.message}\n`);
    return WRONG_USAGE;
  }
  const plain = isPlain(failure) || !(failure instanceof Error);
  err(`${program}: ${plain ? String(failure).replace(/^Error: /, "") : failure.stack}\n`);
  return FAILED;
}
