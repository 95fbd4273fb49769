/** `/api/activity`: the activity of an ecosystem, and its failures (A6.5). */
import { activityPage, formatTime } from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import { PAGING } from "@porchlight/shared/rest";
import type { References } from "../../../access/index.ts";
import { loggedEvent } from "../../../events/index.ts";
import { type Activity, type ActivityPlace, stepsOf } from "../../../ops/index.ts";
import type { Pager } from "../../routing/page.ts";
import { A_S, defineRoute, ok, type Route } from "../../routing/route.ts";
import { placeOf, readTime } from "./event-log.ts";

export interface ActivityRouteDeps {
  readonly activity: Activity;
  readonly references: References;
  readonly pager: Pager;
  readonly clock: { now(): number };
}

export function activityRoutes({ activity, references, pager, clock }: ActivityRouteDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/activity",
      operationId: "listActivity",
      tag: "records",
      summary: "Count commands and requests by time, and list incidents",
      tokens: A_S,
      query: [...PAGING, "ecosystemId", "environmentId", "since", "until", "stepMinutes"],
      answers: { 200: activityPage },
      errors: [
        "Query Parameter Invalid",
        "Ecosystem Missing",
        "Ecosystem Invalid",
        "Ecosystem Not Found",
        "Environment Invalid",
        "Environment Not Found",
      ],
      handle: async (call) => {
        const { query, caller } = call;
        const asked = pager.read(call);
        const time = readTimes(query);
        const { ecosystemId, environmentId } = await placeOf(references, caller, query);
        const place = asked.after === "" ? stepsOf(time, clock.now()) : readPlace(asked.after);
        const page = await activity.page({ ecosystemId, environmentId, size: asked.size }, place);
        const { next, moreIncidents, incidentsSince } = page;
        return ok({
          items: page.steps,
          ...(next && { continuationToken: pager.token(asked, JSON.stringify(next)) }),
          range: { since: formatTime(page.since), until: formatTime(page.until) },
          incidents: page.incidents.map((row) => JSON.parse(loggedEvent(row).text)),
          ...(moreIncidents > 0 && { moreIncidents }),
          ...(incidentsSince !== undefined && { incidentsSince: formatTime(incidentsSince) }),
        });
      },
    }),
  ];
}

/** @throws "Query Parameter Invalid" */
function readTimes(query: Readonly<Record<string, string>>) {
  const since = readTime("since", query.since);
  const until = readTime("until", query.until);
  if (since !== undefined && until !== undefined && since >= until)
    throw new NamedError("Query Parameter Invalid", "`until` must be later than `since`.");
  return { since, until, stepMinutes: readStep(query.stepMinutes) };
}

/** @throws "Query Parameter Invalid" */
function readStep(text: string | undefined): number {
  if (text === undefined) return 1;
  const step = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (step >= 1 && step <= 1440) return step;
  throw new NamedError("Query Parameter Invalid", "`stepMinutes` must be a whole number from 1 to 1440.");
}

/** Parses a place that this route has sealed. */
function readPlace(text: string): ActivityPlace {
  return JSON.parse(text) as ActivityPlace;
}
