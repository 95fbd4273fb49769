/** A range of time as a range of the event log: found by halving, counted in slices, so that a log of any length is no burden. */
import { wants } from "@porchlight/shared/events";
import { one, type Sql, statement } from "../../store/index.ts";
import type { Wanted } from "./wanted.ts";

/** Events counted by one query. */
const SLICE = 5_000;

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
const countOf = (name: string, isConfined: boolean) =>
  statement<Eco & { env: string | null; from: number; to: number }>(name)((db, p) => {
    const all = db
      .selectFrom("events")
      .select((of) => ["type", of.fn.countAll<number>().as("count")])
      .where("ecosystem_id", "=", p.eco)
      .where("sequence", ">=", p.from)
      .where("sequence", "<=", p.to)
      .groupBy("type");
    return isConfined ? all.where("environment_id", "=", p.env) : all;
  });
const countInEcosystem = countOf("count_events_of_ecosystem", false);
const countInEnvironment = countOf("count_events_of_environment", true);

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

/** How many events of a range, both ends included, a webhook wants. */
export async function countWanted(sql: Sql, eco: string, wanted: Wanted, first: number, last: number): Promise<number> {
  const { environmentId: env } = wanted;
  let count = 0;
  for (let from = first; from <= last; from += SLICE) {
    const to = Math.min(last, from + SLICE - 1);
    const counted = await sql.all(env === null ? countInEcosystem : countInEnvironment, { eco, env, from, to });
    for (const one of counted)
      if (one.type !== "webhook.test" && wants(wanted.patterns, one.type)) count += Number(one.count);
  }
  return count;
}
