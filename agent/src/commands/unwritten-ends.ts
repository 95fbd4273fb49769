/**
 * Ends of commands that the hub's disk refused: written as soon as it takes them, or their commands would stay unknown until
 * the agent's next start.
 *
 * The device may have told another value meanwhile, and that has the smaller number then: so the end is written without its
 * value, and what the property now is is read.
 */
import { type Clock, sleep } from "@porchlight/shared/kernel";
import { type CommandEnd, type PropertyTarget, type State, StoreClosed } from "../state/index.ts";

export interface UnwrittenEndsDeps {
  readonly clock: Clock;
  readonly state: Pick<State, "end">;
  /** Reads a property from its device into the history. */
  readonly read: (target: PropertyTarget) => void;
}

/** How often a disk that refuses is asked again, ms. */
const AGAIN_MS = 1000;

/** Settles when the end is written, or the store is closed: then the next start ends the command as unknown. */
export async function writeEndLater(deps: UnwrittenEndsDeps, end: CommandEnd): Promise<void> {
  const { value: _, ...withoutValue } = end;
  for (;;) {
    await sleep(deps.clock, "unwritten end", AGAIN_MS);
    try {
      await deps.state.end(withoutValue);
      break;
    } catch (failure) {
      if (failure instanceof StoreClosed) return;
    }
  }
  if (end.outcome !== "not_applied" && end.outcome !== "rejected") deps.read(end);
}
