/** The incidents of a time: the events that say that something went wrong, and that it is over. They have an index of their own. */
import { sql } from "kysely";
import { type EventRow, one, type Sql, statement } from "../../store/index.ts";

/** As in the index: another list would not be found by it. */
const TYPES = ["alert.ended", "alert.opened", "hub.offline", "hub.online", "webhook.disabled"];
const isIncident = sql<boolean>`type in (${sql.join(TYPES.map((type) => sql.lit(type)))})`;

type Asked = { eco: string; since: number; until: number; env: string };
const selectIncidents = statement<Asked & { limit: number }>("incidents")((db, p) =>
  db
    .selectFrom("events")
    .selectAll()
    .where("ecosystem_id", "=", p.eco)
    .where(isIncident)
    .where("created_at", ">=", p.since)
    .where("created_at", "<", p.until)
    .where(sql<boolean>`(${p.env} = '' or environment_id = ${p.env})`)
    .orderBy("created_at", "desc")
    .orderBy("sequence", "desc")
    .limit(p.limit),
);
const countIncidents = statement<Asked>("incident_count")((db, p) =>
  db
    .selectFrom("events")
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("ecosystem_id", "=", p.eco)
    .where(isIncident)
    .where("created_at", ">=", p.since)
    .where("created_at", "<", p.until)
    .where(sql<boolean>`(${p.env} = '' or environment_id = ${p.env})`),
);

const oldestEvent = statement<{ eco: string }>("oldest_event_kept")((db, p) =>
  db
    .selectFrom("events")
    .select(["sequence", "created_at"])
    .where("ecosystem_id", "=", p.eco)
    .orderBy("sequence")
    .limit(1),
);

/** Incidents that are told of one time. */
const MOST_INCIDENTS = 100;

export interface Incidents {
  /** The newest first. */
  readonly rows: readonly EventRow[];
  /** How many older ones there are. */
  readonly more: number;
  /** From when on they are known, when events of the beginning are no longer kept. Wall clock, ms. */
  readonly knownSince: number | undefined;
}

/** @param since wall clock, ms: at that time or later @param until before that time @throws "Service Unavailable" */
export async function incidentsOf(
  db: Sql,
  eco: string,
  environmentId: string | undefined,
  since: number,
  until: number,
): Promise<Incidents> {
  const asked = { eco, env: environmentId ?? "", since, until };
  const rows = await db.all(selectIncidents, { ...asked, limit: MOST_INCIDENTS });
  // After the others: what is deleted meanwhile makes less known, never more.
  const all = rows.length < MOST_INCIDENTS ? rows.length : ((await one(db.all(countIncidents, asked)))?.count ?? 0);
  const oldest = await one(db.all(oldestEvent, { eco }));
  const isCut = oldest !== undefined && oldest.sequence > 1 && oldest.created_at > since;
  return { rows, more: Math.max(0, all - rows.length), knownSince: isCut ? oldest.created_at : undefined };
}
