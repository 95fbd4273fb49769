/** Places: the items of zones, and the contents of deleted objects that are still to be swept. */
import { type Compilable, sql } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function places(db: Build, dialect: DialectName): Compilable[] {
  const { table, createIndex } = schemaOf(db, dialect);

  return [
    table(
      "zone_items",
      {
        ecosystem_id: "text",
        zone_id: "text",
        item_id: "text",
        kind: "text",
        environment_id: "text",
        position: "integer",
      },
      ["ecosystem_id", "zone_id", "item_id"],
    ),
    createIndex("zone_items_item").on("zone_items").columns(["ecosystem_id", "item_id"]),
    createIndex("zone_items_zones")
      .on("zone_items")
      .columns(["ecosystem_id", "environment_id"])
      .where(sql.ref("kind"), "=", sql.lit("zon")),
    table("sweeps", { ecosystem_id: "text", id: "text", kind: "text", created_at: "integer" }, ["ecosystem_id", "id"]),
  ];
}
