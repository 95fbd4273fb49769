/** `porchlight webhooks`: where events are delivered, and the deliveries, which can be shown and sent again. */
import { type NewWebhook, type WebhookUpdate, webhook, webhookDelivery } from "@porchlight/shared/api";
import type { Column } from "../../render/table.ts";
import type { Args, Option } from "../../session/args.ts";
import type { Command, Context } from "../../session/command.ts";
import { UsageError } from "../../session/failure.ts";
import { momentOf, readText } from "../../session/fields.ts";
import { ECOSYSTEM, Places } from "../../session/places.ts";
import { confirm, YES } from "../../session/questions.ts";
import { fieldsOfSchema } from "../../session/where.ts";
import { ID, LISTING, pageSizeOf, showAll } from "../listing.ts";
import { typesOf, typesOption } from "./events.ts";
import { webhooksListen } from "./webhooks-listen.ts";
import { webhookTests } from "./webhooks-test.ts";

const WEBHOOK = { name: "WEBHOOK", summary: "ID of the webhook (`whk_…`)" } as const;

const FIELDS: readonly Option[] = [
  typesOption("event"),
  { name: "description", value: "TEXT", summary: "What it is for" },
  { name: "secret-file", value: "FILE", summary: "File with the secret for signatures; `-` is stdin" },
];

const COLUMNS: readonly Column[] = [
  ID,
  { heading: "disabled", path: "disabled" },
  { heading: "last", path: "lastDelivery.state" },
  { heading: "URL", path: "url" },
  { heading: "events", path: "events" },
  { heading: "description", path: "description" },
];

/** Fields of both creation and change. */
function fieldsOf(args: Args): Pick<NewWebhook, "secret" | "events" | "description"> {
  const [file, description, events] = [args.text("secret-file"), args.text("description"), typesOf(args)];
  const secret = file === undefined ? undefined : readText(file, "--secret-file").replace(/\r?\n$/, "");
  return {
    ...(secret !== undefined && { secret }),
    ...(description !== undefined && { description: description === "" ? null : description }),
    ...(events !== undefined && { events: [...events] }),
  };
}

async function bodyOf(context: Context, args: Args): Promise<NewWebhook> {
  const places = new Places(context, args);
  const environment = args.text("environment");
  return {
    url: args.text("url") ?? "",
    ...fieldsOf(args),
    ...(args.has("disabled") && { disabled: true }),
    ecosystemId: await places.chosenEcosystem(),
    // Only an environment of the command line restricts it: the profile's is for resolving names.
    environmentId: environment === undefined ? undefined : await places.reference("environment", environment),
  };
}

/** @throws UsageError when nothing changes */
function updateOf(args: Args): WebhookUpdate {
  const url = args.text("url");
  const { secret, ...fields } = fieldsOf(args);
  const body = { ...(url !== undefined && { url }), ...fields, ...(secret && { secret }), ...switched(args) };
  if (Object.keys(body).length > 0) return body;
  throw new UsageError("There is nothing to change.", "No field was given.", "porchlight help webhooks update");
}

function switched(args: Args): { disabled?: boolean } {
  if (args.has("disable") && args.has("enable"))
    throw new UsageError("--enable and --disable exclude each other.", "They are opposites.", "give only one of them");
  return args.has("disable") ? { disabled: true } : args.has("enable") ? { disabled: false } : {};
}

const DELIVERY = { name: "DELIVERY", summary: "ID of the delivery (`dlv_…`)" } as const;
const EXAMPLE = "whk_01h455vb4pex5vsknk084sn02q";

const DELIVERY_COLUMNS: readonly Column[] = [
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

const webhookDeliveries: readonly Command[] = [
  {
    name: "deliveries",
    summary: "Lists the deliveries of a webhook of the last 30 days",
    parameters: [WEBHOOK],
    options: LISTING,
    examples: [`porchlight webhooks deliveries ${EXAMPLE}`],
    async run(context, args) {
      const all = context.porchlight.webhooks.deliveries(args.word("WEBHOOK"), pageSizeOf(args));
      const fields = fieldsOfSchema(webhookDelivery);
      await showAll(context, args, all, { columns: DELIVERY_COLUMNS, fields, noun: "deliveries" });
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

export const webhooks: readonly Command[] = [
  {
    name: "list",
    summary: "Lists webhooks",
    options: [ECOSYSTEM, ...LISTING],
    examples: ["porchlight webhooks list"],
    async run(context, args) {
      const ecosystemId = await new Places(context, args).chosenEcosystem();
      const all = context.porchlight.webhooks.list({ ecosystemId }, pageSizeOf(args));
      await showAll(context, args, all, { columns: COLUMNS, fields: fieldsOfSchema(webhook), noun: "webhooks" });
    },
  },
  {
    name: "get",
    summary: "Shows one webhook",
    parameters: [WEBHOOK],
    examples: ["porchlight webhooks get whk_01h455vb4pex5vsknk084sn02q"],
    async run({ output, porchlight }, args) {
      output.record(await porchlight.webhooks.get(args.word("WEBHOOK")));
    },
  },
  {
    name: "create",
    summary: "Creates a webhook; a secret that the service generates is shown once",
    options: [
      { name: "url", value: "URL", summary: "Where events are sent to", isRequired: true },
      ...FIELDS,
      { name: "disabled", summary: "Sends nothing yet" },
      { name: "environment", value: "ENVIRONMENT", summary: "Only its events" },
      ECOSYSTEM,
    ],
    examples: [
      "porchlight webhooks create --url https://receiver.example/porchlight --types 'device.*,command.completed'",
    ],
    async run(context, args) {
      const made = await context.porchlight.webhooks.create(await bodyOf(context, args));
      context.output.record(made);
      if (made.secret !== undefined) context.output.note("The secret is shown only once: save it now.");
    },
  },
  {
    name: "update",
    summary: "Changes a webhook",
    parameters: [WEBHOOK],
    options: [
      { name: "url", value: "URL", summary: "Where events are sent to" },
      ...FIELDS,
      { name: "enable", summary: "Sends again" },
      { name: "disable", summary: "Sends nothing" },
    ],
    examples: [
      "porchlight webhooks update whk_01h455vb4pex5vsknk084sn02q --enable",
      "porchlight webhooks update whk_01h455vb4pex5vsknk084sn02q --secret-file secret.txt",
    ],
    notes: ["After a change of the secret, the previous one is also used for signatures for 24 hours."],
    async run({ output, porchlight }, args) {
      const id = args.word("WEBHOOK");
      await porchlight.webhooks.update(id, updateOf(args));
      output.note(`Changed ${id}.`);
    },
  },
  {
    name: "delete",
    summary: "Deletes a webhook",
    parameters: [WEBHOOK],
    options: [YES],
    examples: ["porchlight webhooks delete whk_01h455vb4pex5vsknk084sn02q"],
    async run(context, args) {
      const id = args.word("WEBHOOK");
      await confirm(context, args, `Delete the webhook ${id}?`);
      await context.porchlight.webhooks.delete(id);
      context.output.note(`Deleted ${id}.`);
    },
  },
  ...webhookTests,
  ...webhookDeliveries,
  webhooksListen,
];
