/**
 * The longest turn of the event loop, in processor time of this thread: what other programs take of the machine does not count. They make the
 * processor itself slower, by its caches and its second threads: how much is measured beside each round, by a piece of work that is always the
 * same, so that a limit does not depend on the load.
 */
import { threadProcessorTime } from "@porchlight/shared/kernel";

/** Most processor time of a turn, ms. */
export const LONGEST_TURN_MS = 50;
/**
 * What is compiled by the just-in-time compiler, and the garbage of other tests that is collected, make a turn longer once: a turn that is
 * too long in each of so many rounds is long by its own work.
 */
const ROUNDS = 5;

/** Always the same work: it is native, so that nothing of it is compiled anew. */
const REFERENCE = JSON.stringify(
  Array.from({ length: 20_000 }, (_, at) => ({ id: at, name: `device ${at}`, on: true })),
);
/** What all repeats take on the machine on which the limits were set, with nothing beside it, ms. */
const REFERENCE_MS = 40;
/** Times that it is done: processor time is counted in steps of some ms. */
const REPEATS = 5;

/** How much slower the processor is now than with nothing beside this thread; at least 1. */
function slowness(): number {
  const from = threadProcessorTime();
  for (let at = 0; at < REPEATS; at += 1) JSON.parse(REFERENCE);
  return Math.max(1, (threadProcessorTime() - from) / REFERENCE_MS);
}

/**
 * The least of the rounds' longest turns; no more rounds are made once it is short enough.
 * @param round lets the input in, from the same state each time; it may wait
 */
export async function longestTurn(round: () => void | Promise<void>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < ROUNDS && least >= LONGEST_TURN_MS; at += 1) least = Math.min(least, await longestOf(round));
  return least;
}

async function longestOf(round: () => void | Promise<void>): Promise<number> {
  const before = slowness();
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
    await round();
  } finally {
    isDone = true;
  }
  await ended.promise;
  return longest / ((before + slowness()) / 2);
}
