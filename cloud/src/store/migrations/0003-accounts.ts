/** Accounts: verified addresses, codes sent by mail, session tokens of log-ins with a cookie, emails, and erasures. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function accounts(db: Build, dialect: DialectName): Compilable[] {
  const { table, createIndex, addColumn } = schemaOf(db, dialect);
  return [
    addColumn("accounts", "verified_at", "integer?"),
    table(
      "account_codes",
      { hash: "text", account_id: "text", purpose: "text", created_at: "integer", expires_at: "integer" },
      ["hash"],
    ),
    createIndex("account_codes_account").on("account_codes").columns(["account_id", "purpose"]),
    createIndex("account_codes_end").on("account_codes").columns(["expires_at"]),
    table("session_tokens", { hash: "text", login_id: "text", expires_at: "integer" }, ["hash"]),
    createIndex("session_tokens_login").on("session_tokens").columns(["login_id"]),
    table(
      "letters",
      {
        id: "text",
        account_id: "text",
        sealed: "text",
        attempts: "integer",
        next_at: "integer",
        expires_at: "integer",
        created_at: "integer",
      },
      ["id"],
    ),
    createIndex("letters_due").on("letters").columns(["next_at"]),
    createIndex("letters_account").on("letters").columns(["account_id"]),
    table("erasures", { account_id: "text", ecosystem_ids: "text", requested_at: "integer" }, ["account_id"]),
  ];
}
