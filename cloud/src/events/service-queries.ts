/** This module's queries across tenants: the next log of a sweep, and how far logs have grown. */
import { one, type Store, statement } from "../store/index.ts";

const selectNext = statement<{ after: string }>("next_event_log")((db, p) =>
  db
    .selectFrom("counters")
    .select(["ecosystem_id", "log_bytes"])
    .where("ecosystem_id", ">", p.after)
    .orderBy("ecosystem_id")
    .limit(1),
);

export interface Log {
  readonly eco: string;
  readonly bytes: number;
}

/** Sequence of the newest event of each ecosystem that has one. */
export function newestOfLogs(
  { service }: Store,
  ecosystems: readonly string[],
): Promise<{ readonly ecosystem_id: string; readonly sequence: number }[]> {
  const counters = service.build.selectFrom("counters").select(["ecosystem_id", "sequence"]);
  return service.query(counters.where("ecosystem_id", "in", ecosystems));
}

/** The log of the next ecosystem after `after`, with the total bytes of its events so far. @param after "" is before the first */
export async function nextLog(store: Store, after: string): Promise<Log | undefined> {
  const row = await one(store.service.all(selectNext, { after }));
  return row && { eco: row.ecosystem_id, bytes: row.log_bytes ?? 0 };
}
