/** Which living node has a client's newest tunnel, as a column of any query over the clients. */
import { sql } from "kysely";

/**
 * Null when the tunnel is closed, or its node has died.
 * @param clients the table, as the query calls it
 */
export function heldBy(clients: "c" | "clients") {
  const of = (column: string) => sql.ref(`${clients}.${column}`);
  return sql<string | null>`(
    select held.node_id from tunnels as held inner join nodes as holder on holder.id = held.node_id
    where held.ecosystem_id = ${of("ecosystem_id")} and held.client_id = ${of("id")} and held.epoch = ${of("epoch")}
      and held.closed_at is null)`;
}
