/** Commands are kept 30 days (A4.4): their IDs tell their age, so that no index has to. */

import { firstIdOf } from "@porchlight/shared/kernel";
import { SERVICE_TIMES } from "@porchlight/shared/model";
import { type Store, statement } from "../../store/index.ts";
import { firstOf } from "./service-queries.ts";

/** How long commands are kept after they were given, ms. */
export const KEEP_COMMANDS = SERVICE_TIMES.commandsKept;
/** Rows of one job. */
const SLICE = 500;

const oldestAfter = statement<{ eco: string }>("oldest_command_after_ecosystem")((db, p) =>
  db.selectFrom("commands").select("ecosystem_id").where("ecosystem_id", ">", p.eco).orderBy("ecosystem_id").limit(1),
);
const endOfSlice = statement<{ eco: string; before: string; skip: number }>("end_of_old_commands")((db, p) =>
  db
    .selectFrom("commands")
    .select("id")
    .where("ecosystem_id", "=", p.eco)
    .where("id", "<", p.before)
    .orderBy("id")
    .limit(1)
    .offset(p.skip),
);
const remove = statement<{ eco: string; before: string }>("sweep_commands")((db, p) =>
  db.deleteFrom("commands").where("ecosystem_id", "=", p.eco).where("id", "<", p.before),
);

/** @param now wall-clock ms @param goesOn whether another job may begin @throws "Service Unavailable" */
export async function sweepCommands(store: Store, now: number, goesOn: () => boolean): Promise<void> {
  const before = firstIdOf("cmd", now - KEEP_COMMANDS);
  let eco = "";
  while (goesOn()) {
    const next = await firstOf(store, oldestAfter, { eco });
    if (!next) return;
    eco = next.ecosystem_id;
    for (let more = true; more && goesOn(); ) {
      const end = await firstOf(store, endOfSlice, { eco, before, skip: SLICE });
      more = end !== undefined;
      await store.writeService((tx) => tx.run(remove, { eco, before: end?.id ?? before }));
    }
  }
}
