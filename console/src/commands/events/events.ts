/** `porchlight events`: past and current events. */

import type { Command } from "../../session/command.ts";
import { momentOf } from "../../session/moments.ts";
import { ECOSYSTEM, ENVIRONMENT } from "../../session/places.ts";
import { type Fields, WHERE, Where } from "../../session/where.ts";
import { LIMIT, pageSizeOf } from "../listing.ts";
import { eventsTail, scopeOf, showEvent, typesOf, typesOption } from "./events-tail.ts";

/** Fields of an event in `porchlight events list`, one event on each line; its `data` has the fields of its type. */
const EVENT_FIELDS: Fields = new Map([
  ...["id", "sequence", "type", "createdAt", "ecosystemId", "environmentId"].map((name) => [name, "field"] as const),
  ["data", "open"],
]);

const eventsList: Command = {
  name: "list",
  summary: "Lists past events",
  options: [
    typesOption(),
    { name: "since", value: "TIME", summary: "Only from this time on: 2h, 7d, or 2026-11-05T14:03:07Z" },
    { name: "until", value: "TIME", summary: "Only before this time" },
    { name: "device", value: "DEVICE", summary: "Only events of this device: ID or reference" },
    { name: "newest", summary: "Newest first, instead of oldest first" },
    WHERE,
    LIMIT,
    ENVIRONMENT,
    ECOSYSTEM,
  ],
  examples: [
    "porchlight events list --newest --limit 20",
    "porchlight events list --since 2h --types hub.*,device.offline",
    "porchlight events list --since 2026-11-05T14:00:00Z --until 2026-11-05T15:00:00Z --json > events.ndjson",
  ],
  notes: [
    "With --json each event is one line, as a webhook would get it. If older events are no longer kept, stderr says so.",
    "For new events: porchlight events tail.",
  ],
  async run(context, args) {
    const { clock, output, porchlight } = context;
    const [since, until] = [args.text("since"), args.text("until")];
    const log = porchlight.eventLog(
      {
        ...(await scopeOf(context, args)),
        types: typesOf(args),
        deviceId: args.text("device"),
        order: args.has("newest") ? "newest" : "oldest",
        ...(since !== undefined && { since: momentOf(since, clock) }),
        ...(until !== undefined && { until: momentOf(until, clock) }),
      },
      pageSizeOf(args),
    );
    const where = new Where(args, EVENT_FIELDS);
    let left = args.number("limit") ?? Number.POSITIVE_INFINITY;
    let told = 0;
    for await (const { items, range, log: kept } of log.pages()) {
      if (kept.oldest > 1 && range.first === kept.oldest && told < kept.oldest) {
        output.note(`The log begins at event ${kept.oldest}: older events are no longer kept.`);
        told = kept.oldest;
      }
      for (const event of where.of(items)) {
        if (left === 0) return output.note("There are more.");
        showEvent(output, event, true);
        left -= 1;
      }
    }
  },
};

export const events = [eventsList, eventsTail];
