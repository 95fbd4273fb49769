/** Deliveries of a webhook: `deliveries` and `delivery` show them, `redeliver` and `replay` send them again. */
import { webhookDelivery } from "@porchlight/shared/api";
import type { Column } from "../../render/table.ts";
import type { Command } from "../../session/command.ts";
import { momentOf } from "../../session/moments.ts";
import { fieldsOfSchema } from "../../session/where.ts";
import { ID } from "../columns.ts";
import { LISTING, pageSizeOf, showAll } from "../listing.ts";

const WEBHOOK = { name: "WEBHOOK", summary: "ID of the webhook (`whk_…`)" } as const;
const DELIVERY = { name: "DELIVERY", summary: "ID of the delivery (`dlv_…`)" } as const;
const EXAMPLE = "whk_01h455vb4pex5vsknk084sn02q";

const COLUMNS: readonly Column[] = [
  ID,
  { heading: "state", path: "state" },
  { heading: "status", path: "responseStatus" },
  { heading: "type", path: "type" },
  { heading: "created", path: "createdAt" },
  { heading: "tries", path: "attempt" },
  { heading: "ms", path: "durationMs" },
  { heading: "next", path: "nextAttemptAt" },
  { heading: "error", path: "error" },
];

/** A command about one delivery: it shows the answer of the client's method of that name. */
function aboutOne(name: "delivery" | "redeliver", summary: string): Command {
  return {
    ...{ name, summary, parameters: [WEBHOOK, DELIVERY] },
    examples: [`porchlight webhooks ${name} ${EXAMPLE} dlv_01h455vb4pex5vsknk084sn02q`],
    async run({ output, porchlight }, args) {
      output.record(await porchlight.webhooks[name](args.word("WEBHOOK"), args.word("DELIVERY")));
    },
  };
}

export const webhookDeliveries: readonly Command[] = [
  {
    name: "deliveries",
    summary: "Lists the deliveries of a webhook of the last 30 days",
    parameters: [WEBHOOK],
    options: LISTING,
    examples: [`porchlight webhooks deliveries ${EXAMPLE}`],
    async run(context, args) {
      const all = context.porchlight.webhooks.deliveries(args.word("WEBHOOK"), pageSizeOf(args));
      const fields = fieldsOfSchema(webhookDelivery);
      await showAll(context, args, all, { columns: COLUMNS, fields, noun: "deliveries" });
    },
  },
  aboutOne("delivery", "Shows one delivery with its request and response"),
  aboutOne("redeliver", "Sends one again, with the event's own ID"),
  {
    name: "replay",
    summary: "Sends the events of a period again",
    parameters: [WEBHOOK],
    options: [
      {
        name: "since",
        value: "TIME",
        summary: "Start of the period: `2h` ago, or '2026-11-05 14:03:07Z'",
        isRequired: true,
      },
      { name: "until", value: "TIME", summary: "End of the period (now)" },
    ],
    examples: [`porchlight webhooks replay ${EXAMPLE} --since 2h`],
    async run({ output, porchlight, clock }, args) {
      const until = args.text("until");
      const count = await porchlight.webhooks.replay(args.word("WEBHOOK"), {
        since: momentOf(args.text("since") ?? "", clock),
        ...(until !== undefined && { until: momentOf(until, clock) }),
      });
      if (output.isJson) output.json({ count });
      else output.line(String(count));
      output.note(count === 1 ? "One event is sent again." : `${count} events are sent again.`);
    },
  },
];
