/** Request counts per minute, the periods in which a node counted them, and an index of the events that are incidents. */
import { type Compilable, sql } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

const INCIDENTS = ["alert.ended", "alert.opened", "hub.offline", "hub.online", "webhook.disabled"];

export function activity(db: Build, dialect: DialectName): Compilable[] {
  const { table, createIndex } = schemaOf(db, dialect);
  return [
    table(
      "request_counts",
      {
        ecosystem_id: "text",
        minute: "integer",
        succeeded: "integer",
        redirected: "integer",
        refused: "integer",
        failed: "integer",
      },
      ["ecosystem_id", "minute"],
    ),
    // Finds expired counts of all ecosystems.
    createIndex("request_counts_minute").on("request_counts").columns(["minute"]),
    table("counting_periods", { id: "text", since: "integer", until: "integer", closed: "integer" }, ["id"]),
    createIndex("counting_periods_until").on("counting_periods").columns(["until"]),
    // Partial: events of other types do not pay for it.
    createIndex("events_incidents")
      .on("events")
      .columns(["ecosystem_id", "created_at"])
      .where(sql.ref("type"), "in", sql`(${sql.join(INCIDENTS.map((type) => sql.lit(type)))})`),
  ];
}
