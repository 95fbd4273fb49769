/** Exporters of the records about an account: events, notifications, the audit, and requests. */
import { formatTime } from "@porchlight/shared/api";
import { nextTurn } from "@porchlight/shared/kernel";
import { alertResource } from "../alerts/index.ts";
import type { LogReader } from "../events/index.ts";
import { type AuditLog, auditEntryResource, loggedRequestResource, type RequestLog } from "../ops/index.ts";
import { findSink, sinkResource } from "../sinks/index.ts";
import type { Store } from "../store/index.ts";
import { deliveryDetails, type Webhooks, webhookResource } from "../webhooks/index.ts";
import { byId, EXPORT_PAGE, type Exporter, listed, ofEach, stored } from "./exporter.ts";

export interface RecordExportersDeps {
  readonly store: Store;
  readonly logReader: Pick<LogReader, "read" | "newest">;
  readonly webhooks: Pick<Webhooks, "list">;
  readonly auditLog: Pick<AuditLog, "list">;
  readonly requestLog: Pick<RequestLog, "list">;
}

const OLDEST = { order: "oldest", limit: EXPORT_PAGE } as const;
const ALL = { ecosystemId: undefined, since: undefined, until: undefined, actor: undefined, action: undefined };

export function recordExporters(deps: RecordExportersDeps): Exporter[] {
  const { store } = deps;
  return [
    {
      name: "events",
      about: "The event log as far as it is still kept, in the form in which event streams and webhooks send it.",
      tables: ["events"],
      rows: ofEach((ecosystemId) => eventTexts(deps.logReader, ecosystemId)),
    },
    {
      name: "sinks",
      about: "Where each ecosystem has its property values written to, and how far that has come, without tokens.",
      tables: ["sinks"],
      rows: ofEach(async function* (ecosystemId) {
        const row = await findSink(store.of(ecosystemId).sql, ecosystemId);
        if (row) yield sinkResource(row, await deps.logReader.newest(ecosystemId));
      }),
    },
    {
      name: "webhooks",
      about: "Webhooks: their addresses and event types. The signing secrets are not in the archive.",
      tables: ["objects", "webhooks"],
      rows: listed(
        (caller, after) => deps.webhooks.list(caller, undefined, after, EXPORT_PAGE),
        ({ row }) => webhookResource(row),
      ),
    },
    {
      name: "deliveries",
      about: "What was sent to webhooks and how they answered, as far as it is still kept, without signatures.",
      tables: ["deliveries"],
      rows: stored(
        store,
        byId((reader, after) =>
          reader.sql.query(
            reader.from("deliveries").selectAll().where("id", ">", after).orderBy("id").limit(EXPORT_PAGE),
          ),
        ),
        (row, ecosystemId) => ({ ...deliveryDetails(row), webhookId: row.webhook_id, ecosystemId }),
      ),
    },
    {
      name: "alerts",
      about: "Problems of hubs, batteries, webhooks and quotas: open ones, and ended ones of the last 90 days.",
      tables: ["alerts"],
      rows: stored(
        store,
        byId((reader, after) =>
          reader.sql.query(reader.from("alerts").selectAll().where("id", ">", after).orderBy("id").limit(EXPORT_PAGE)),
        ),
        (row) => alertResource(row),
      ),
    },
    {
      name: "audit",
      about: "Who changed what, when and from where, in the last 400 days.",
      tables: ["audit_entries"],
      rows: listed(
        (caller, after) => deps.auditLog.list(caller, ALL, { ...OLDEST, after }),
        (row) => auditEntryResource(row),
      ),
    },
    {
      name: "requests",
      about: "Requests to the API in the last seven days, without bodies.",
      tables: ["request_log"],
      rows: listed(
        (caller, after) => deps.requestLog.list(caller, { ecosystemId: undefined }, { ...OLDEST, after }),
        (row) => ({
          ...loggedRequestResource(row),
          ...(row.ecosystem_id !== null && { ecosystemId: row.ecosystem_id }),
        }),
      ),
    },
    {
      name: "request-counts",
      about: "Number of requests to the API in each minute, by class of status.",
      tables: ["request_counts"],
      rows: stored(
        store,
        {
          first: -1,
          read: (reader, after) =>
            reader.sql.query(
              reader
                .from("request_counts")
                .selectAll()
                .where("minute", ">", after)
                .orderBy("minute")
                .limit(EXPORT_PAGE),
            ),
          keyOf: ({ minute }) => minute,
        },
        ({ minute, succeeded, redirected, refused, failed }, ecosystemId) => ({
          ecosystemId,
          since: formatTime(minute),
          requests: { status2xx: succeeded, status3xx: redirected, status4xx: refused, status5xx: failed },
        }),
      ),
    },
  ];
}

/** The event log of an ecosystem, from the first event that is still kept. */
async function* eventTexts(reader: Pick<LogReader, "read">, ecosystemId: string): AsyncGenerator<string> {
  for (let after = 0; ; await nextTurn()) {
    const slice = await reader.read(ecosystemId, after, EXPORT_PAGE);
    if (slice.kind === "lost") {
      // The beginning of the log has been deleted.
      after = slice.after;
      continue;
    }
    for (const { text } of slice.events) yield text;
    const last = slice.events.at(-1);
    if (last === undefined || !slice.more) return;
    after = last.sequence;
  }
}
