/** How work in the background lets the writes of hubs and people go first: its own file because whoever follows a log does it alike. */
import { type Clock, sleep } from "@porchlight/shared/kernel";

/** While so many jobs wait for the database the work waits too, but no longer than this, ms. */
const BUSY = 32;
const LONGEST_WAIT = 2_000;
const STEP = 50;

export interface GiveWayDeps {
  readonly store: { readonly work: { readonly waiting: number } };
  readonly clock: Clock;
}

/**
 * Waits while many jobs do, but for so long only that the work is done at all.
 * @param name of the timer
 * @throws the signal's reason
 */
export async function giveWay({ store, clock }: GiveWayDeps, name: string, signal: AbortSignal): Promise<void> {
  for (let waited = 0; store.work.waiting > BUSY && waited < LONGEST_WAIT; waited += STEP)
    await sleep(clock, name, STEP, signal);
}
