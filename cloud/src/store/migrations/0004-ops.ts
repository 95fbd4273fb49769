/** Records for operators and accounts: audit entries, request logs, tokens in use, and version notices. */
import { type Compilable, sql } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
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
    // Finds expired entries of all owners.
    createIndex("audit_entries_at").on("audit_entries").columns(["at"]),
    table(
      "request_log",
      {
        account_id: "text",
        id: "text",
        ecosystem_id: "text?",
        request_id: "text",
        at: "integer",
        method: "text",
        route: "text",
        path: "text",
        status: "integer",
        duration_us: "integer",
        token_id: "text?",
        problem: "text?",
      },
      ["account_id", "id"],
    ),
    createIndex("request_log_ecosystem").on("request_log").columns(["ecosystem_id", "id"]),
    createIndex("request_log_at").on("request_log").columns(["at"]),
    table("token_uses", { token_id: "text", last_used_at: "integer" }, ["token_id"]),
    table(
      "token_versions",
      {
        token_id: "text",
        via: "text",
        version: "text",
        first_seen_at: "integer",
        last_seen_at: "integer",
        count: "integer",
      },
      ["token_id", "via", "version"],
    ),
    table("version_notices", { account_id: "text", release: "text", told_at: "integer" }, ["account_id", "release"]),
    // Counts the living tokens of each subject of an ecosystem.
    createIndex("tokens_ecosystem")
      .on("tokens")
      .columns(["ecosystem_id", "subject_id"])
      .where(sql.ref("revoked_at"), "is", null),
  ];
}
