/** Exports of accounts, their archives in chunks, and the indexes that find what to export, build or delete. */
import { type Compilable, sql } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function accountExports(db: Build, dialect: DialectName): Compilable[] {
  const { table, createIndex } = schemaOf(db, dialect);
  return [
    table(
      "account_exports",
      {
        account_id: "text",
        id: "text",
        state: "text",
        started_at: "integer",
        node_id: "text?",
        attempt: "integer",
        bytes: "integer",
        ended_at: "integer?",
        expires_at: "integer?",
        problem: "text?",
      },
      ["account_id"],
    ),
    createIndex("account_exports_running")
      .on("account_exports")
      .columns(["started_at"])
      .where(sql.ref("state"), "=", sql.lit("running")),
    createIndex("account_exports_expiring")
      .on("account_exports")
      .columns(["expires_at"])
      .where(sql.ref("expires_at"), "is not", null),
    table(
      "export_chunks",
      { account_id: "text", export_id: "text", attempt: "integer", place: "integer", data: "text" },
      ["account_id", "export_id", "attempt", "place"],
    ),
    // All tokens of an owner, including ended ones, for export and erasure.
    createIndex("tokens_of_account")
      .on("tokens")
      .columns(["account_id", "id"])
      .where(sql.ref("account_id"), "is not", null),
    createIndex("tokens_of_ecosystem")
      .on("tokens")
      .columns(["ecosystem_id", "id"])
      .where(sql.ref("ecosystem_id"), "is not", null),
  ];
}
