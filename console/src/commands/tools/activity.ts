/** `porchlight activity list`: commands and requests in steps of time, with the incidents. */
import { type ActivityStep, activityStep } from "@porchlight/shared/api";
import type { Column } from "../../render/table.ts";
import type { Command } from "../../session/command.ts";
import { momentOf } from "../../session/fields.ts";
import { ECOSYSTEM, ENVIRONMENT } from "../../session/places.ts";
import { fieldsOfSchema, WHERE, Where } from "../../session/where.ts";
import { scopeOf } from "../events/events.ts";

const COLUMNS: readonly Column[] = [
  { heading: "since", path: "since" },
  { heading: "confirmed", path: "commands.confirmed" },
  { heading: "not confirmed", path: "notConfirmed" },
  { heading: "open", path: "commands.open" },
  { heading: "requests", path: "allRequests" },
  { heading: "errors", path: "errors" },
  { heading: "known", path: "known" },
];

export const activity: readonly Command[] = [
  {
    name: "list",
    summary: "Lists commands and requests by time, and incidents",
    options: [
      { name: "since", value: "TIME", summary: "From then on: 2h, 7d, or 2026-11-05T14:03:07Z; an hour when left out" },
      { name: "until", value: "TIME", summary: "Not from then on" },
      { name: "step", value: "MINUTES", summary: "Length of a row, minutes; 1 when left out", number: [1, 1440] },
      WHERE,
      ENVIRONMENT,
      ECOSYSTEM,
    ],
    examples: ["porchlight activity list", "porchlight activity list --since 1d --step 60"],
    notes: [
      "Times of which the service knows nothing have no row; a row with `part` may be too low.",
      "Incidents go to stderr; with --json they stand under `incidents`.",
    ],
    async run(context, args) {
      const { clock, output, porchlight } = context;
      const [since, until] = [args.text("since"), args.text("until")];
      const where = new Where(args, fieldsOfSchema(activityStep));
      const steps: ActivityStep[] = [];
      const incidents = [];
      let more = 0;
      const filter = {
        ...(await scopeOf(context, args)),
        ...{ stepMinutes: args.number("step") },
        ...(since !== undefined && { since: momentOf(since, clock) }),
        ...(until !== undefined && { until: momentOf(until, clock) }),
      };
      for await (const page of porchlight.activity(filter).pages()) {
        steps.push(...where.of(page.items));
        incidents.unshift(...page.incidents);
        more += page.moreIncidents ?? 0;
        if (page.incidentsSince !== undefined)
          output.note(`Incidents before ${page.incidentsSince} are no longer kept.`);
      }
      if (output.isJson) return output.json({ items: steps, incidents, ...(more > 0 && { moreIncidents: more }) });
      output.list(COLUMNS, steps.map(rowOf));
      for (const { createdAt, type, sequence } of incidents) output.note(`${createdAt} ${type} (event ${sequence})`);
      if (more > 0) output.note(`And ${more} more incidents: porchlight events list --types alert.*,hub.*`);
    },
  },
];

/** An unknown value has no figure. */
function rowOf(step: ActivityStep) {
  const { commands, requests } = step;
  return {
    ...step,
    notConfirmed: commands.rejected + commands.not_applied + commands.not_sent + commands.unknown,
    ...(requests && {
      allRequests: requests.status2xx + requests.status3xx + requests.status4xx + requests.status5xx,
      errors: requests.status4xx + requests.status5xx,
    }),
    known: step.partial ? "part" : "whole",
  };
}
