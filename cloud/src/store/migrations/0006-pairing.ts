/** Pairings in progress: they belong to no tenant until a user approves them. */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function pairing(db: Build, dialect: DialectName): Compilable[] {
  const { table, createIndex } = schemaOf(db, dialect);
  return [
    table(
      "pairings",
      {
        device_hash: "text",
        user_hash: "text",
        public_key: "text",
        edge_id: "text",
        agent_version: "text",
        address: "text",
        state: "text",
        interval_ms: "integer",
        polled_at: "integer?",
        created_at: "integer",
        expires_at: "integer",
        ecosystem_id: "text?",
        environment_id: "text?",
        client_id: "text?",
        issued_epoch: "integer?",
      },
      ["device_hash"],
    ),
    createIndex("pairings_user_code").on("pairings").columns(["user_hash"]).unique(),
    createIndex("pairings_expires").on("pairings").columns(["expires_at"]),
    createIndex("pairings_ecosystem").on("pairings").columns(["ecosystem_id"]),
    // Finds whether the hub that starts a pairing is a client already.
    createIndex("clients_key").on("clients").columns(["ecosystem_id", "public_key"]),
  ];
}
