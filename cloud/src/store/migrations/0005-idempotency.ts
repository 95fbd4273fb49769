/** Idempotency keys: the writes and the answer of the first request with each key, kept for a day. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function idempotency(db: Build, dialect: DialectName): Compilable[] {
  const { table, createIndex } = schemaOf(db, dialect);
  return [
    table(
      "idempotency_keys",
      {
        hash: "text",
        owner: "text",
        fingerprint: "text",
        state: "text",
        node_id: "text",
        claim: "text",
        answer: "text?",
        created_at: "integer",
      },
      ["hash"],
    ),
    createIndex("idempotency_keys_created").on("idempotency_keys").columns(["created_at"]),
    createIndex("idempotency_keys_owner").on("idempotency_keys").columns(["owner"]),
    table("idempotency_steps", { hash: "text", step: "text", value: "text" }, ["hash", "step"]),
  ];
}
