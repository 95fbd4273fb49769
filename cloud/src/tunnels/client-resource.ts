/** A client as the API shows it, built from its rows: the data of hub events, and the answer of the client routes. */
import { formatTime } from "@porchlight/shared/api";
import { sql } from "kysely";
import { DEFAULT_META_PREFIX, showMeta } from "../access/index.ts";
import { bulk, type KindSql, one, type Sql, statement } from "../store/index.ts";
import type { HubConnection } from "./presence.ts";

/** Columns for any query over clients: the live node that holds the newest tunnel, and when that tunnel ended. */
type Clients = "c" | "clients";

/**
 * The ID of the node: null when the tunnel is closed, or its node has died.
 * @param clients the table's name in the query
 */
export function heldBy(clients: Clients) {
  return sql<string | null>`(
    select held.node_id from tunnels as held inner join nodes as holder on holder.id = held.node_id
    where ${isNewest("held", clients)} and held.closed_at is null)`;
}

/** Wall-clock ms: null while the tunnel is open, also when its node has died. */
export function endedAt(clients: Clients) {
  return sql<number | null>`(select ended.closed_at from tunnels as ended where ${isNewest("ended", clients)})`;
}

function isNewest(tunnels: string, clients: Clients) {
  const is = (column: string, of: string) => sql`${sql.ref(`${tunnels}.${column}`)} = ${sql.ref(`${clients}.${of}`)}`;
  return sql`${is("ecosystem_id", "ecosystem_id")} and ${is("client_id", "id")} and ${is("epoch", "epoch")}`;
}

/** An existing client: its own row, its metadata as an object, and the state of its environment. */
export interface ClientSnapshot {
  readonly id: string;
  readonly ecosystem_id: string;
  readonly environment_id: string;
  readonly alias: string | null;
  readonly meta: string;
  readonly created_at: number;
  readonly public_key: string | null;
  readonly edge_id: string | null;
  readonly epoch: number;
  readonly log_id: string | null;
  readonly position: number;
  readonly inventory_digest: string | null;
  readonly agent_version: string | null;
  readonly stores_scenes: number | null;
  readonly online: number;
  readonly online_since: number | null;
  readonly last_seen_at: number | null;
  readonly reason: string | null;
  /** The live node that holds its newest tunnel. */
  readonly held_by: string | null;
  readonly ended_at: number | null;
}

const selectClient = statement<{ eco: string; client: string }>("client_snapshot")((db, p) =>
  db
    .selectFrom("clients as c")
    .innerJoin("objects as o", (join) => join.onRef("o.ecosystem_id", "=", "c.ecosystem_id").onRef("o.id", "=", "c.id"))
    .innerJoin("objects as e", (join) =>
      join.onRef("e.ecosystem_id", "=", "c.ecosystem_id").onRef("e.id", "=", "c.environment_id"),
    )
    .innerJoin("ecosystems as x", "x.id", "c.ecosystem_id")
    .selectAll("c")
    .select(["o.alias", "o.meta", "o.created_at"])
    .select([heldBy("c").as("held_by"), endedAt("c").as("ended_at")])
    .where("c.ecosystem_id", "=", p.eco)
    .where("c.id", "=", p.client)
    .where("o.gone_at", "is", null)
    .where("e.gone_at", "is", null)
    .where("x.gone_at", "is", null),
);

/** The client, or undefined when it or its environment is deleted. */
export function readClient(sql: Sql, ecosystemId: string, clientId: string): Promise<ClientSnapshot | undefined> {
  return one<ClientSnapshot>(sql.all(selectClient, { eco: ecosystemId, client: clientId }));
}

const selectClients = bulk(selectClient, { eco: "text", client: "text" });

/** Many clients, in the order of their IDs. */
export async function readClients(
  sql: Pick<KindSql, "allOf">,
  clients: readonly { readonly eco: string; readonly client: string }[],
): Promise<readonly (ClientSnapshot | undefined)[]> {
  const found: ClientSnapshot[][] = await sql.allOf(selectClients, clients);
  return found.map(([client]) => client);
}

/** @param prefix of system metadata, as the reader requested it */
export function clientResource(client: ClientSnapshot, connection: HubConnection, prefix = DEFAULT_META_PREFIX) {
  return {
    id: client.id,
    ecosystemId: client.ecosystem_id,
    environmentId: client.environment_id,
    ...(client.alias !== null && { alias: client.alias }),
    meta: showMeta(client.meta, prefix),
    createdAt: formatTime(client.created_at),
    ...(client.edge_id !== null && { edgeId: client.edge_id }),
    connection: connectionResource(connection),
  };
}

/** A client's `connection` as the API shows it. */
function connectionResource(connection: HubConnection) {
  const { since, lastSeenAt, ...rest } = connection;
  return {
    ...rest,
    since: formatTime(since),
    ...(lastSeenAt !== undefined && { lastSeenAt: formatTime(lastSeenAt) }),
  };
}
