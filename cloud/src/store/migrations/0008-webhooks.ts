/** Webhooks, their positions in the event log, and their deliveries. */
import { type Compilable, sql } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function webhooks(db: Build, dialect: DialectName): Compilable[] {
  const { table, createIndex } = schemaOf(db, dialect);
  return [
    table(
      "webhooks",
      {
        ecosystem_id: "text",
        id: "text",
        environment_id: "text?",
        url: "text",
        description: "text?",
        disabled: "integer",
        events: "text",
        secrets: "text",
        failing_since: "integer?",
        created_at: "integer",
      },
      ["ecosystem_id", "id"],
    ),
    table(
      "webhook_cursors",
      { ecosystem_id: "text", webhook_id: "text", id: "text", position: "integer", until: "integer?" },
      ["ecosystem_id", "webhook_id", "id"],
    ),
    table(
      "deliveries",
      {
        ecosystem_id: "text",
        id: "text",
        webhook_id: "text",
        event_id: "text",
        type: "text",
        cursor: "text?",
        sequence: "integer",
        body: "text",
        attempt: "integer",
        state: "text",
        created_at: "integer",
        next_attempt_at: "integer?",
        attempted_at: "integer?",
        duration_ms: "integer?",
        response_status: "integer?",
        error: "text?",
        response: "text?",
      },
      ["ecosystem_id", "id"],
    ),
    createIndex("deliveries_webhook").on("deliveries").columns(["ecosystem_id", "webhook_id", "id"]),
    // A cursor's attempts at one event share one row, even if a process dies between two of them.
    createIndex("deliveries_cursor")
      .on("deliveries")
      .columns(["ecosystem_id", "webhook_id", "cursor", "sequence"])
      .unique()
      .where(sql.ref("cursor"), "is not", null),
    createIndex("deliveries_due")
      .on("deliveries")
      .columns(["ecosystem_id", "webhook_id", "next_attempt_at"])
      .where(sql.ref("next_attempt_at"), "is not", null),
  ];
}
