/**
 * A new command of which it is unknown whether the store has taken it: the answer is lost with the database's connection. Its caller was
 * told its ID, and no hub was handed it; so the ID must lead to the command that was stored, or to one that ended unsent.
 */
import type { CommandRow, Store } from "../../store/index.ts";
import { isInDoubt } from "./command-outcome.ts";
import { addCommand, tellCompleted, tellUnconfirmed } from "./command-store.ts";
import type { UnstoredEnds } from "./unstored-ends.ts";

export interface DoubtDeps {
  readonly store: Pick<Store, "write">;
  readonly unstored: Pick<UnstoredEnds, "keep">;
}

const ERROR = JSON.stringify({
  name: "Service Unavailable",
  detail: "The service lost its database while it stored this command: it was not carried out.",
});

/**
 * To be called when the write job of a new command has failed: looks for the command as soon as the store answers, and stores one that
 * was never carried out where there is none.
 * @param row as the job would have stored it; undefined when it had not come so far
 * @param wasStored what is to follow when the store has it after all
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
