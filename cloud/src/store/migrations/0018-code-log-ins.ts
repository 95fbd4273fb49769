/** Log-ins by code in progress: they belong to no account until a user approves them. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function codeLogIns(db: Build, dialect: DialectName): Compilable[] {
  const { table, createIndex } = schemaOf(db, dialect);
  return [
    table(
      "code_log_ins",
      {
        device_hash: "text",
        user_hash: "text",
        address: "text",
        user_agent: "text?",
        state: "text",
        interval_ms: "integer",
        polled_at: "integer?",
        created_at: "integer",
        expires_at: "integer",
        account_id: "text?",
        approved_by: "text?",
      },
      ["device_hash"],
    ),
    createIndex("code_log_ins_user_code").on("code_log_ins").columns(["user_hash"]).unique(),
    createIndex("code_log_ins_expires").on("code_log_ins").columns(["expires_at"]),
    createIndex("code_log_ins_account").on("code_log_ins").columns(["account_id"]),
  ];
}
