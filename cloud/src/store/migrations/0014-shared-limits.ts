/** Limits that all nodes share. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function sharedLimits(db: Build, dialect: DialectName): Compilable[] {
  const { table, createIndex } = schemaOf(db, dialect);
  return [
    table("shared_limits", { key: "text", full_at: "integer" }, ["key"]),
    createIndex("shared_limits_full").on("shared_limits").columns(["full_at"]),
  ];
}
