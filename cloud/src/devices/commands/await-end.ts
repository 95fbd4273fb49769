/** Waits until a command has ended, on any node and in any way, or until its caller's time is over. */
import type { Clock } from "@porchlight/shared/kernel";
import type { CommandRow, Store } from "../../store/index.ts";
import { readCommand } from "./command-store.ts";

/**
 * Reads the command again whenever the ecosystem's log has grown, because every end of such a command is an event.
 * @returns the command's current row; undefined when it is no longer kept
 * @throws "Service Unavailable"
 */
export async function awaitEnd(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  ecosystemId: string,
  commandId: string,
  waitMs: number,
): Promise<CommandRow | undefined> {
  const { sql } = store.of(ecosystemId);
  let grown = Promise.withResolvers<void>();
  let isOver = false;
  const stopListening = store.onEvents((eco) => {
    if (eco === ecosystemId) grown.resolve();
  });
  const timer = clock.timer("caller of a deferred command", waitMs, () => {
    isOver = true;
    grown.resolve();
  });
  try {
    for (;;) {
      const row = await readCommand(sql, ecosystemId, commandId);
      if (!row || row.completed_at !== null || isOver) return row;
      await grown.promise;
      grown = Promise.withResolvers<void>();
    }
  } finally {
    timer.cancel();
    stopListening();
  }
}
