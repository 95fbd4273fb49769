/** Activity of one ecosystem, or of one of its environments, in pages of steps. */
import type { ActivityStep, RequestCounts } from "@porchlight/shared/api";
import type { Clock } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import { type EventRow, one, type Sql, type Store, statement } from "../../store/index.ts";
import { COUNT_LIMITS, type CountLimits, type CountPlace, countCommands, type Tally } from "./command-counts.ts";
import { CountedTime, countingPeriods } from "./service-queries.ts";
import { activityStepOf, type Steps } from "./steps.ts";

export interface ActivityAsked {
  readonly ecosystemId: string;
  readonly environmentId: string | undefined;
  /** Maximum steps of a page. */
  readonly size: number;
}

/** The position of a walk. */
export interface ActivityPlace extends Steps {
  /** Set within a step that has more commands than one request scans. */
  readonly count?: CountPlace | undefined;
}

export interface ActivityAnswer {
  readonly steps: readonly ActivityStep[];
  /** Start of the steps and incidents: wall clock, ms. */
  readonly since: number;
  readonly until: number;
  readonly incidents: readonly EventRow[];
  readonly moreIncidents: number;
  /** Start of the known incidents, if it is later than `since`. */
  readonly incidentsSince: number | undefined;
  /** Where the next page begins; undefined after the last. */
  readonly next: ActivityPlace | undefined;
}

const madeAt = statement<{ eco: string; id: string }>("activity_made_at")((db, p) =>
  db.selectFrom("objects").select("created_at").where("ecosystem_id", "=", p.eco).where("id", "=", p.id),
);
type RequestsAsked = { eco: string; since: number; until: number };
const requestCounts = statement<RequestsAsked>("request_counts_in")((db, p) =>
  db
    .selectFrom("request_counts")
    .selectAll()
    .where("ecosystem_id", "=", p.eco)
    .where("minute", ">=", p.since)
    .where("minute", "<", p.until),
);

export class Activity {
  readonly #deps: { readonly store: Store; readonly clock: Clock };
  readonly #limits: CountLimits;

  /** @param limits smaller ones, for tests */
  constructor(deps: { readonly store: Store; readonly clock: Clock }, limits: CountLimits = COUNT_LIMITS) {
    this.#deps = deps;
    this.#limits = limits;
  }

  /** @throws "Service Unavailable" */
  async page(asked: ActivityAsked, place: ActivityPlace): Promise<ActivityAnswer> {
    const { store, clock } = this.#deps;
    const { ecosystemId, environmentId, size } = asked;
    const { sql } = store.of(ecosystemId);
    const { step } = place;
    const made = await one(sql.all(madeAt, { eco: ecosystemId, id: environmentId ?? ecosystemId }));
    // Skips the time before the object was created.
    const first = made ? made.created_at - (made.created_at % step) : 0;
    const since = Math.min(Math.max(place.since, first), place.until);
    const end = Math.min(place.until, since + size * step);
    const time = { ...{ ecosystemId, environmentId }, since, until: end, step };
    const counted = await countCommands(sql, time, place.count, this.#limits);
    const until = counted.reached;
    const [requests, periods, incidents] = await Promise.all([
      this.#requests(asked, since, until, step),
      countingPeriods(store, since, until),
      incidentsOf(sql, ecosystemId, environmentId, since, until),
    ]);
    const countedTime = new CountedTime(periods);
    const facts = { madeAt: made?.created_at ?? 0, now: clock.now(), reportsRequests: environmentId === undefined };
    const steps: ActivityStep[] = [];
    for (let at = since; at < until; at += step) {
      const own = { since: at, until: at + step, coverage: countedTime.coverage(at, at + step) };
      const counts = { commands: commandsAt(counted.tally, at), requests: requests.get(at) };
      const shown = activityStepOf({ ...facts, ...own, ...counts });
      if (shown) steps.push(shown);
    }
    const isLast = !counted.next && end >= place.until;
    return {
      ...{ steps, since, until, incidents: incidents.rows, moreIncidents: incidents.more },
      incidentsSince: incidents.knownSince,
      next: isLast ? undefined : { since: until, until: place.until, step, count: counted.next },
    };
  }

  /** By the start of their step. */
  async #requests({ ecosystemId: eco, environmentId }: ActivityAsked, since: number, until: number, step: number) {
    const steps = new Map<number, RequestCounts>();
    if (environmentId !== undefined) return steps;
    for (const row of await this.#deps.store.of(eco).sql.all(requestCounts, { eco, since, until })) {
      const at = row.minute - (row.minute % step);
      const before = steps.get(at);
      steps.set(at, {
        status2xx: (before?.status2xx ?? 0) + row.succeeded,
        status3xx: (before?.status3xx ?? 0) + row.redirected,
        status4xx: (before?.status4xx ?? 0) + row.refused,
        status5xx: (before?.status5xx ?? 0) + row.failed,
      });
    }
    return steps;
  }
}

function commandsAt(tally: Tally, at: number) {
  return tally[String(at)];
}

/** As in the index, which any other list would not use. */
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

/** Maximum incidents of a period. */
const MOST_INCIDENTS = 100;

interface Incidents {
  /** The newest first. */
  readonly rows: readonly EventRow[];
  /** Number of older ones. */
  readonly more: number;
  /** Start of the known incidents, if the first events are no longer stored. Wall clock, ms. */
  readonly knownSince: number | undefined;
}

/**
 * The incidents of a period: the events that report the start and the end of a problem. They have an index of their
 * own.
 * @param since wall clock, ms: inclusive @param until exclusive @throws "Service Unavailable"
 */
async function incidentsOf(
  db: Sql,
  eco: string,
  environmentId: string | undefined,
  since: number,
  until: number,
): Promise<Incidents> {
  const asked = { eco, env: environmentId ?? "", since, until };
  const rows = await db.all(selectIncidents, { ...asked, limit: MOST_INCIDENTS });
  // Read after the others: a deletion meanwhile can only shorten the known time.
  const all = rows.length < MOST_INCIDENTS ? rows.length : ((await one(db.all(countIncidents, asked)))?.count ?? 0);
  const oldest = await one(db.all(oldestEvent, { eco }));
  const isCut = oldest !== undefined && oldest.sequence > 1 && oldest.created_at > since;
  return { rows, more: Math.max(0, all - rows.length), knownSince: isCut ? oldest.created_at : undefined };
}
