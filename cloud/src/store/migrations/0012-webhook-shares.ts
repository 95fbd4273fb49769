/**
 * Several nodes send webhooks: the sending nodes, the shares of webhooks that each holds, the notifications between
 * nodes about a webhook, and the node that sends each email.
 */
import type { Compilable } from "kysely";
import type { Build, DialectName } from "../sql/statement.ts";
import { schemaOf } from "./schema.ts";

export function webhookShares(db: Build, dialect: DialectName): Compilable[] {
  const { table, createIndex, addColumn } = schemaOf(db, dialect);
  return [
    table("webhook_nodes", { node_id: "text" }, ["node_id"]),
    table("webhook_shares", { share: "integer", node_id: "text" }, ["share"]),
    createIndex("webhook_shares_node").on("webhook_shares").columns(["node_id"]),
    table("webhook_calls", { share: "integer", id: "text", ecosystem_id: "text", webhook_id: "text" }, ["share", "id"]),
    addColumn("letters", "claimed_by", "text?"),
  ];
}
