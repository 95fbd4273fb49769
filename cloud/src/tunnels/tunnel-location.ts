/** Where a hub's newest tunnel is, by the database: on a node, moving to another, or nowhere. */
import { one, type Sql, statement } from "../store/index.ts";

export type TunnelLocation =
  | { readonly kind: "node"; readonly nodeId: string; readonly epoch: number }
  /** A node that stops has disconnected the hub, which is expected on another node. */
  | { readonly kind: "moving" }
  | { readonly kind: "away" };

/** Time within which a disconnected hub is expected back, ms. */
const MOVING_MS = 20_000;

const selectNewest = statement<{ eco: string; client: string }>("newest_tunnel")((db, p) =>
  db
    .selectFrom("tunnels as t")
    .leftJoin("nodes as n", "n.id", "t.node_id")
    .select(["t.node_id", "t.epoch", "t.closed_at", "t.reason", "n.id as living"])
    .where("t.ecosystem_id", "=", p.eco)
    .where("t.client_id", "=", p.client)
    .orderBy("t.epoch", "desc")
    .limit(1),
);

/** @param now wall clock, ms @throws "Service Unavailable" */
export async function tunnelLocationOf(
  sql: Sql,
  ecosystemId: string,
  client: string,
  now: number,
): Promise<TunnelLocation> {
  const newest = await one(sql.all(selectNewest, { eco: ecosystemId, client }));
  if (!newest) return { kind: "away" };
  const { node_id: nodeId, epoch, closed_at: closedAt, reason, living } = newest;
  if (closedAt === null) return living === null ? { kind: "away" } : { kind: "node", nodeId, epoch };
  return reason === "restart" && now - closedAt < MOVING_MS ? { kind: "moving" } : { kind: "away" };
}
