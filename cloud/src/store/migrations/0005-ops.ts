/** What operators ask about: who did what. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../statement.ts";
import { schemaOf } from "./schema.ts";

export function ops(db: Build, dialect: DialectName): Compilable[] {
  const { table, createIndex } = schemaOf(db, dialect);
  return [
    table(
      "audit_entries",
      {
        account_id: "text",
        id: "text",
        ecosystem_id: "text?",
        at: "integer",
        actor_type: "text",
        actor_id: "text?",
        token_id: "text?",
        address: "text?",
        action: "text",
        object_id: "text?",
        detail: "text",
      },
      ["account_id", "id"],
    ),
    createIndex("audit_entries_ecosystem").on("audit_entries").columns(["account_id", "ecosystem_id", "id"]),
    // What is too old goes, whoever's it is.
    createIndex("audit_entries_at").on("audit_entries").columns(["at"]),
  ];
}
