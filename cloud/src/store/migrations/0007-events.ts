/** Deferred commands, whose caller does not wait: they are queued while their hub is offline, and end when they expire. */
import { type Compilable, sql } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function events(db: Build, dialect: DialectName): Compilable[] {
  const { addColumn, createIndex } = schemaOf(db, dialect);
  return [
    addColumn("commands", "deferred", "integer?"),
    // Finds the queued command that expires next, across tenants.
    createIndex("commands_queued").on("commands").columns(["expires_at"]).where(sql.ref("state"), "=", "queued"),
  ];
}
