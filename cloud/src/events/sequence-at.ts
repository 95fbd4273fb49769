/** Finds the position of a time in the event log, by bisection over the sequences, so that no index over times is needed. */
import { one, type Sql, statement } from "../store/index.ts";

type Eco = { eco: string };
const firstFrom = statement<Eco & { from: number }>("first_event_from")((db, p) =>
  db
    .selectFrom("events")
    .select(["sequence", "created_at"])
    .where("ecosystem_id", "=", p.eco)
    .where("sequence", ">=", p.from)
    .orderBy("sequence")
    .limit(1),
);
const lastOf = statement<Eco>("last_event_of_log")((db, p) =>
  db.selectFrom("events").select("sequence").where("ecosystem_id", "=", p.eco).orderBy("sequence", "desc").limit(1),
);

/** Sequence of the first event at that time or later, one past the last when there is none. @param time wall clock, ms */
export async function sequenceAt(sql: Sql, eco: string, time: number): Promise<number> {
  const oldest = await one(sql.all(firstFrom, { eco, from: 0 }));
  const newest = await one(sql.all(lastOf, { eco }));
  if (!oldest || !newest) return 1;
  let [low, high] = [oldest.sequence, newest.sequence + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const event = await one(sql.all(firstFrom, { eco, from: middle }));
    if (event && event.created_at < time) low = event.sequence + 1;
    else high = middle;
  }
  return low;
}
