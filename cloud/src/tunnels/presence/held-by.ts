/** A client's newest tunnel as columns of any query over the clients: which living node has it, and when it ended. */
import { sql } from "kysely";

type Clients = "c" | "clients";

/**
 * The node: null when the tunnel is closed, or its node has died.
 * @param clients the table, as the query calls it
 */
export function heldBy(clients: Clients) {
  return sql<string | null>`(
    select held.node_id from tunnels as held inner join nodes as holder on holder.id = held.node_id
    where ${isNewest("held", clients)} and held.closed_at is null)`;
}

/** Wall-clock ms: null while it is open, also when its node has died. */
export function endedAt(clients: Clients) {
  return sql<number | null>`(select ended.closed_at from tunnels as ended where ${isNewest("ended", clients)})`;
}

function isNewest(tunnels: string, clients: Clients) {
  const is = (column: string, of: string) => sql`${sql.ref(`${tunnels}.${column}`)} = ${sql.ref(`${clients}.${of}`)}`;
  return sql`${is("ecosystem_id", "ecosystem_id")} and ${is("client_id", "id")} and ${is("epoch", "epoch")}`;
}
