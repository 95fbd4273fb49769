/** Exporters of what happened and who was told: events, sinks, webhooks with their deliveries, and alerts. */
import { nextTurn } from "@porchlight/shared/kernel";
import { alertResource } from "../../alerts/index.ts";
import type { LogReader } from "../../events/index.ts";
import { findSink, sinkResource } from "../../sinks/index.ts";
import type { Store } from "../../store/index.ts";
import { deliveryDetails, type Webhooks, webhookResource } from "../../webhooks/index.ts";
import { EXPORT_PAGE, type Exporter, paged } from "./exporter.ts";

export interface EventExportersDeps {
  readonly store: Store;
  readonly logReader: Pick<LogReader, "read" | "newest">;
  readonly webhooks: Pick<Webhooks, "list">;
}

export function eventExporters({ store, logReader, webhooks }: EventExportersDeps): Exporter[] {
  return [
    {
      name: "events",
      about: "The event log as far as it is still kept, in the form in which event streams and webhooks send it.",
      tables: ["events"],
      async *rows({ ecosystemIds }) {
        for (const eco of ecosystemIds) yield* eventTexts(logReader, eco);
      },
    },
    {
      name: "sinks",
      about: "Where each ecosystem has its property values written to, and how far that has come, without tokens.",
      tables: ["sinks"],
      async *rows({ ecosystemIds }) {
        for (const eco of ecosystemIds) {
          const row = await findSink(store.of(eco).sql, eco);
          if (row) yield sinkResource(row, await logReader.newest(eco));
        }
      },
    },
    {
      name: "webhooks",
      about: "Webhooks: their addresses and event types. The signing secrets are not in the archive.",
      tables: ["objects", "webhooks"],
      async *rows({ caller }) {
        const rows = paged(
          (after) => webhooks.list(caller, undefined, after, EXPORT_PAGE),
          ({ id }) => id,
        );
        for await (const { row } of rows) yield webhookResource(row);
      },
    },
    {
      name: "deliveries",
      about: "What was sent to webhooks and how they answered, as far as it is still kept, without signatures.",
      tables: ["deliveries"],
      async *rows({ ecosystemIds }) {
        for (const eco of ecosystemIds) {
          const rows = paged(
            (after) => readDeliveries(store, eco, after),
            ({ id }) => id,
          );
          for await (const row of rows) yield { ...deliveryDetails(row), webhookId: row.webhook_id, ecosystemId: eco };
        }
      },
    },
    {
      name: "alerts",
      about: "Problems of hubs, batteries, webhooks and quotas: open ones, and ended ones of the last 90 days.",
      tables: ["alerts"],
      async *rows({ ecosystemIds }) {
        for (const eco of ecosystemIds) {
          const rows = paged(
            (after) => readAlerts(store, eco, after),
            ({ id }) => id,
          );
          for await (const row of rows) yield alertResource(row);
        }
      },
    },
  ];
}

async function* eventTexts(reader: Pick<LogReader, "read">, eco: string): AsyncGenerator<string> {
  for (let after = 0; ; await nextTurn()) {
    const slice = await reader.read(eco, after, EXPORT_PAGE);
    if (slice.kind === "lost") {
      // Its beginning is kept no longer.
      after = slice.after;
      continue;
    }
    for (const { text } of slice.events) yield text;
    const last = slice.events.at(-1);
    if (last === undefined || !slice.more) return;
    after = last.sequence;
  }
}

function readDeliveries(store: Store, eco: string, after: string) {
  const reader = store.of(eco);
  return reader.sql.query(
    reader.from("deliveries").selectAll().where("id", ">", after).orderBy("id").limit(EXPORT_PAGE),
  );
}

function readAlerts(store: Store, eco: string, after: string) {
  const reader = store.of(eco);
  return reader.sql.query(reader.from("alerts").selectAll().where("id", ">", after).orderBy("id").limit(EXPORT_PAGE));
}
