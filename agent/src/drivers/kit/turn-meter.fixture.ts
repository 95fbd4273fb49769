/**
 * The longest turn of the event loop, in processor time of this thread: what other programs take of the machine does not count, so that
 * a limit on it does not depend on the load.
 */
import { threadProcessorTime } from "@porchlight/shared/kernel";

/**
 * Most processor time of a turn, ms. A hub's loop must be free after 50 ms; here the code is not yet compiled by the just-in-time
 * compiler, and the garbage of other tests is collected in the same turns. What this must find takes seconds, or never ends.
 */
export const LONGEST_TURN_MS = 250;

/** @param run what lets the input in; it may wait */
export async function longestTurn(run: () => void | Promise<void>): Promise<number> {
  let longest = 0;
  let last = threadProcessorTime();
  let isDone = false;
  const ended = Promise.withResolvers<void>();
  const look = () => {
    const now = threadProcessorTime();
    longest = Math.max(longest, now - last);
    last = now;
    if (isDone) ended.resolve();
    else setImmediate(look);
  };
  setImmediate(look);
  try {
    await run();
  } finally {
    isDone = true;
  }
  await ended.promise;
  return longest;
}
