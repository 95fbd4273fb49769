/** Activity of one ecosystem, or of one of its environments, in pages of steps. */
import type { ActivityStep, RequestCounts } from "@porchlight/shared/api";
import type { Clock } from "@porchlight/shared/kernel";
import { type EventRow, one, type Store, statement } from "../../store/index.ts";
import { COUNT_LIMITS, type CountLimits, type CountPlace, countCommands, type Tally } from "./command-counts.ts";
import { CountedTime } from "./coverage.ts";
import { incidentsOf } from "./incidents.ts";
import { countingPeriods } from "./service-queries.ts";
import { activityStepOf, type Steps } from "./steps.ts";

export interface ActivityAsked {
  readonly ecosystemId: string;
  readonly environmentId: string | undefined;
  /** Steps of a page at the most. */
  readonly size: number;
}

/** Where a walk stands. */
export interface ActivityPlace extends Steps {
  /** Within a step that has more commands than one request looks at. */
  readonly count?: CountPlace | undefined;
}

export interface ActivityAnswer {
  readonly steps: readonly ActivityStep[];
  /** Wall clock, ms: the time that the steps and incidents are of. */
  readonly since: number;
  readonly until: number;
  readonly incidents: readonly EventRow[];
  readonly moreIncidents: number;
  /** From when on incidents are known, when that is later than `since`. */
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
    // Before there was anything to know of, no steps are looked through.
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
    const facts = { madeAt: made?.created_at ?? 0, now: clock.now(), tellsRequests: environmentId === undefined };
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

  /** By where their step begins. */
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
