/** The questions of this room that cross tenants: which commands have been open for too long. */
import { type CommandRow, type Store, statement } from "../store/index.ts";

/** Commands ended in one go. */
const MOST_AT_ONCE = 500;

const selectStale = statement<{ before: number }>("stale_commands")((db, p) =>
  db
    .selectFrom("commands")
    .selectAll()
    .where("completed_at", "is", null)
    .where("created_at", "<", p.before)
    .limit(MOST_AT_ONCE),
);

/** @param before wall clock, ms */
export function findStaleCommands(store: Store, before: number): Promise<CommandRow[]> {
  return store.service.all(selectStale, { before });
}
