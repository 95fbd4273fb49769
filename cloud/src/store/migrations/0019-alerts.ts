/** Alerts, and the indexes that find problems among all hubs, batteries and webhooks. */
import { type Compilable, sql } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function alerts(db: Build, dialect: DialectName): Compilable[] {
  const { table, createIndex } = schemaOf(db, dialect);
  return [
    table(
      "alerts",
      {
        ecosystem_id: "text",
        id: "text",
        kind: "text",
        subject_id: "text",
        subject_name: "text",
        environment_id: "text?",
        text: "text",
        end_text: "text?",
        since: "integer",
        opened_at: "integer",
        ended_at: "integer?",
        mail: "text?",
        told: "integer",
      },
      ["ecosystem_id", "id"],
    ),
    createIndex("alerts_open")
      .on("alerts")
      .columns(["ecosystem_id", "kind", "subject_id"])
      .unique()
      .where(sql.ref("ended_at"), "is", null),
    createIndex("alerts_ended")
      .on("alerts")
      .columns(["ecosystem_id", "ended_at"])
      .where(sql.ref("ended_at"), "is not", null),
    createIndex("alerts_ended_at").on("alerts").columns(["ended_at"]).where(sql.ref("ended_at"), "is not", null),
    createIndex("alerts_mail").on("alerts").columns(["ecosystem_id", "id"]).where(sql.ref("mail"), "is not", null),
    table("alert_settings", { account_id: "text", settings: "text?", mailed_at: "integer?" }, ["account_id"]),
    createIndex("clients_offline")
      .on("clients")
      .columns(["ecosystem_id", "id"])
      .where(sql.ref("online"), "=", sql.lit(0))
      .where(sql.ref("online_since"), "is not", null),
    createIndex("webhooks_failing")
      .on("webhooks")
      .columns(["ecosystem_id", "id"])
      .where(sql.ref("failing_since"), "is not", null),
    // Covers only columns that no report changes: on PostgreSQL an index on any other column would slow every change of
    // every value.
    createIndex("property_values_battery")
      .on("property_values")
      .columns(["ecosystem_id", "device_id", "idx", "property"])
      .where(sql.ref("service"), "=", sql.lit("Battery")),
  ];
}
