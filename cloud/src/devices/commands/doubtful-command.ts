/**
 * New commands whose commit is in doubt, because the database's answer was lost with the connection. The caller has the
 * ID, and no hub has the command; so the ID must lead to the stored command, or to one that ended unsent.
 */

import { type Clock, isNamed, type Log, sleep, TaskSet } from "@porchlight/shared/kernel";
import type { CommandRow, Store } from "../../store/index.ts";
import { isInDoubt } from "./command-outcome.ts";
import { addCommand, tellCompleted, tellUnconfirmed } from "./command-store.ts";

export interface DoubtDeps {
  readonly store: Pick<Store, "write">;
  readonly unstored: Pick<UnstoredEnds, "keep">;
}

const ERROR = JSON.stringify({
  name: "Service Unavailable",
  detail: "The service lost its database while it stored this command: it was not carried out.",
});

/**
 * Called when the write job of a new command has failed: looks for the command as soon as the store answers, and if it
 * is missing stores it as one that was never executed.
 * @param row as the job would have stored it; undefined when the job failed before that
 * @param wasStored called when the store has the command after all
 */
export function settleDoubt(
  { store, unstored }: DoubtDeps,
  error: unknown,
  row: CommandRow | undefined,
  wasStored: () => void,
): void {
  if (!row || !isInDoubt(error)) return;
  unstored.keep(row.id, () =>
    store.write(row.ecosystem_id, async (tx) => {
      const outcome = row.client_id === null ? "not_applied" : "not_sent";
      const ended = { ...row, state: "failed", outcome, error: ERROR, completed_at: tx.now() };
      if (!(await addCommand(tx, ended))) tx.afterCommit(wasStored);
      else if (row.deferred === 1) tellCompleted(tx, ended);
      else tellUnconfirmed(tx, ended);
    }),
  );
}

/**
 * Ends of commands that the store refused, stored as soon as it works again, because their callers have an ID and may
 * read it. They are lost if the process dies meanwhile, unless the hub has a record of them.
 */
interface UnstoredEndsDeps {
  readonly clock: Clock;
  readonly log: Log;
}

/** Interval of retries, ms. */
const AGAIN_MS = 1_000;
/** Maximum pending ends; beyond it no more are accepted. */
const MOST = 10_000;

export class UnstoredEnds implements AsyncDisposable {
  readonly #deps: UnstoredEndsDeps;
  readonly #stop = new AbortController();
  readonly #waiting = new TaskSet();

  constructor(deps: UnstoredEndsDeps) {
    this.#deps = deps;
  }

  /**
   * Retries until the end is stored or the process stops.
   * @returns whether it was accepted
   */
  keep(commandId: string, store: () => Promise<unknown>): boolean {
    if (this.#waiting.size >= MOST || this.#stop.signal.aborted) return false;
    void this.#waiting.add(this.#storeLater(commandId, store));
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#waiting.idle();
  }

  async #storeLater(commandId: string, store: () => Promise<unknown>): Promise<void> {
    const { clock, log } = this.#deps;
    for (;;) {
      try {
        await sleep(clock, "end of a command that is not stored", AGAIN_MS, this.#stop.signal);
      } catch {
        log.warn({ command: commandId }, "the result of a command was not stored before the service stopped");
        return;
      }
      try {
        await store();
        return;
      } catch (error) {
        if (isNamed(error, "Service Unavailable")) continue;
        log.error({ error, command: commandId }, "the result of a command cannot be stored");
        return;
      }
    }
  }
}
