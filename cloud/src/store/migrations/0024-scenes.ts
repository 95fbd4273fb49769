/** Scenes: their items, triggers and the commands of their calls; and the time zone and location of a home. */
import { type Compilable, sql } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function scenes(db: Build, dialect: DialectName): Compilable[] {
  const { table, createIndex, addColumn } = schemaOf(db, dialect);
  return [
    table(
      "scene_items",
      {
        ecosystem_id: "text",
        scene_id: "text",
        position: "integer",
        target_id: "text",
        environment_id: "text",
        selector: "text",
        value: "text",
      },
      ["ecosystem_id", "scene_id", "position"],
    ),
    // Finds the scenes that a deleted object must be removed from.
    createIndex("scene_items_target").on("scene_items").columns(["ecosystem_id", "target_id"]),
    table(
      "scene_triggers",
      {
        ecosystem_id: "text",
        scene_id: "text",
        position: "integer",
        environment_id: "text",
        kind: "text",
        device_id: "text?",
        trigger: "text",
      },
      ["ecosystem_id", "scene_id", "position"],
    ),
    createIndex("scene_triggers_device")
      .on("scene_triggers")
      .columns(["ecosystem_id", "device_id"])
      .where(sql.ref("device_id"), "is not", null),
    createIndex("scene_triggers_environment").on("scene_triggers").columns(["ecosystem_id", "environment_id", "kind"]),
    table("homes", { ecosystem_id: "text", id: "text", time_zone: "text?", location: "text?" }, ["ecosystem_id", "id"]),
    addColumn("commands", "scene_id", "text?"),
    addColumn("commands", "scene_command_id", "text?"),
  ];
}
