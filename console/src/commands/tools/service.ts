/** `porchlight services`, `quotas`, `requests`, `audit` and `openapi`: information about the service and its use. */
import type { RequestFilter } from "@porchlight/sdk";
import { auditActors, auditEntry, loggedRequest, quota, serviceClass } from "@porchlight/shared/api";
import type { Column } from "../../render/table.ts";
import type { Args } from "../../session/args.ts";
import type { Action, Command, Context } from "../../session/command.ts";
import { momentOf } from "../../session/fields.ts";
import { ECOSYSTEM, Places } from "../../session/places.ts";
import { fieldsOfSchema, WHERE, Where } from "../../session/where.ts";
import { LOG, showLast } from "../listing.ts";

const CLASS_COLUMNS: readonly Column[] = [
  { heading: "service", path: "service" },
  { heading: "property", path: "property" },
  { heading: "type", path: "type" },
  { heading: "unit", path: "unit" },
  { heading: "access", path: "access" },
];

export const services: readonly Command[] = [
  {
    name: "list",
    summary: "Lists the standard service classes with their properties",
    options: [WHERE],
    examples: ["porchlight services list", "porchlight services list --where service=Switch"],
    async run({ output, porchlight }, args) {
      const where = new Where(args, fieldsOfSchema(serviceClass));
      const classes = where.of(await porchlight.service.catalogue());
      if (output.isJson) output.json({ items: classes });
      else
        output.list(
          CLASS_COLUMNS,
          classes.flatMap(({ service, properties }) =>
            properties.map((property) => ({ ...property, service, access: property.access.join(", ") })),
          ),
        );
    },
  },
];

export const quotas: readonly Command[] = [
  {
    name: "list",
    summary: "Shows how many of each object are allowed, and how many there are",
    options: [WHERE],
    examples: ["porchlight quotas list", "porchlight quotas list --where used!=0"],
    async run({ output, porchlight }, args) {
      const where = new Where(args, fieldsOfSchema(quota));
      const columns = ["name", "used", "limit"].map((path) => ({ heading: path, path }));
      output.list(columns, where.of(await porchlight.service.quotas()));
    },
  },
  {
    name: "usage",
    summary: "Shows how many bytes your data takes, by kind",
    examples: ["porchlight quotas usage", "porchlight quotas usage --json"],
    async run({ output, porchlight }) {
      const usage = await porchlight.service.usage();
      if (output.isJson) return output.json(usage);
      output.list(
        ["kind", "bytes"].map((path) => ({ heading: path, path })),
        usage.items,
      );
      output.note(`${usage.bytes} of ${usage.limitBytes} bytes, measured at ${usage.measuredAt}`);
    },
  },
];

const SINCE = {
  name: "since",
  value: "TIME",
  summary: "Only from this time on: 2h, 7d, or 2026-11-05T14:03:07Z",
} as const;
const UNTIL = { name: "until", value: "TIME", summary: "Only before this time" } as const;

/** The time range of the command line. */
function timesOf({ clock }: Pick<Context, "clock">, args: Pick<Args, "text">) {
  const [since, until] = [args.text("since"), args.text("until")];
  return {
    ...(since !== undefined && { since: momentOf(since, clock) }),
    ...(until !== undefined && { until: momentOf(until, clock) }),
  };
}

/** The service rejects a value that is neither a status nor a class. */
function statusOf(text: string | undefined): RequestFilter["status"] {
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? Number(text) : (text as "4xx");
}

const REQUEST_COLUMNS: readonly Column[] = [
  { heading: "at", path: "at" },
  { heading: "status", path: "status" },
  { heading: "method", path: "method" },
  { heading: "path", path: "path" },
  { heading: "problem", path: "problem" },
  { heading: "ms", path: "durationMs", isExtra: true },
  { heading: "id", path: "id", isExtra: true },
  { heading: "token", path: "tokenId", isExtra: true },
];

export const requests: readonly Command[] = [
  {
    name: "list",
    summary: "Lists requests of the last seven days, without request bodies",
    options: [
      { name: "status", value: "STATUS", summary: "Only with this HTTP status or class: `503`, `4xx`" },
      { name: "method", value: "METHOD", summary: "Only with this method: `PUT`" },
      { name: "path", value: "PART", summary: "Only with this text in the path" },
      SINCE,
      UNTIL,
      { name: "token", value: "TOKEN", summary: "Only with this token: its ID (`tok_…`)" },
      ECOSYSTEM,
      ...LOG,
    ],
    examples: ["porchlight requests list --status 503 --last 20"],
    async run(context, args) {
      const ecosystemId = await new Places(context, args).chosenEcosystem();
      const filter = {
        ...{ ecosystemId, status: statusOf(args.text("status")), tokenId: args.text("token") },
        ...{ method: args.text("method")?.toUpperCase(), path: args.text("path"), ...timesOf(context, args) },
      };
      await showLast(context, args, context.porchlight.service.requests(filter), {
        ...{ columns: REQUEST_COLUMNS, fields: fieldsOfSchema(loggedRequest) },
      });
    },
  },
];

const AUDIT_COLUMNS: readonly Column[] = [
  { heading: "at", path: "at" },
  { heading: "action", path: "action", isWhole: true },
  { heading: "object", path: "objectId", isWhole: true },
  { heading: "address", path: "address", isExtra: true },
  { heading: "actor", path: "actor.id", isExtra: true },
  { heading: "detail", path: "detail", isExtra: true },
];

export const audit: readonly Command[] = [
  {
    name: "list",
    summary: "Lists who changed what, and from where",
    options: [
      SINCE,
      UNTIL,
      { name: "actor", value: "KIND", summary: `Only by: ${auditActors.join(", ")}`, choices: auditActors },
      { name: "action", value: "ACTION", summary: "Only this action: `zone.created`, or `zone.*`" },
      ECOSYSTEM,
      ...LOG,
    ],
    examples: ["porchlight audit list --since 2h", "porchlight audit list --action 'webhook.*'"],
    async run(context, args) {
      const filter = {
        ecosystemId: await new Places(context, args).chosenEcosystem(),
        ...timesOf(context, args),
        ...{ actor: auditActors.find((each) => each === args.text("actor")), action: args.text("action") },
      };
      await showLast(context, args, context.porchlight.service.audit(filter), {
        ...{ columns: AUDIT_COLUMNS, fields: fieldsOfSchema(auditEntry) },
      });
    },
  },
];

export const openapi: Action = {
  examples: ["porchlight openapi > openapi.json"],
  async run({ output, anonymous }) {
    output.json(await anonymous.service.openApi());
  },
};
