/** The questions of this module that cross tenants: which hubs have no tunnel, and whether a node's lease stands. */
import { type Store, statement } from "../../store/index.ts";
import type { NodeSign } from "./lease-watch.ts";

export interface Orphan {
  readonly ecosystem_id: string;
  readonly id: string;
  readonly epoch: number;
  readonly reason: string | null;
}

/** Hubs that are online in the log, apart from those whose tunnel stands on another node with a living lease. */
const selectOrphans = statement<{ node: string; recent: number }>("orphaned_hubs")((db, p) =>
  db
    .selectFrom("clients as c")
    .select(["c.ecosystem_id", "c.id", "c.epoch", "c.reason"])
    .where("c.online", "=", 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("tunnels as t")
            .innerJoin("nodes as n", "n.id", "t.node_id")
            .select("t.epoch")
            .whereRef("t.ecosystem_id", "=", "c.ecosystem_id")
            .whereRef("t.client_id", "=", "c.id")
            .whereRef("t.epoch", "=", "c.epoch")
            .where("t.closed_at", "is", null)
            .where("n.id", "<>", p.node),
        ),
      ),
    )
    // A short break is no event: the node that had the tunnel sees to it.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("tunnels as t")
            .select("t.epoch")
            .whereRef("t.ecosystem_id", "=", "c.ecosystem_id")
            .whereRef("t.client_id", "=", "c.id")
            .whereRef("t.epoch", "=", "c.epoch")
            .where("t.closed_at", ">", p.recent),
        ),
      ),
    ),
);

/** @param recent wall clock, ms: a hub whose tunnel ended after it is left alone */
export function findOrphans(store: Store, node: string, recent: number): Promise<Orphan[]> {
  return store.service.all(selectOrphans, { node, recent });
}

const selectNodes = statement<Record<never, never>>("node_signs")((db) =>
  db.selectFrom("nodes").select(["id", "lease_until", "started_at"]),
);

/** Every node whose lease stands, as far as anybody has seen. */
export function nodeSigns(store: Pick<Store, "service">): Promise<NodeSign[]> {
  return store.service.all(selectNodes, {});
}

const selectOpenTunnels = statement<{ node: string }>("open_tunnels_of_node")((db, p) =>
  db
    .selectFrom("tunnels")
    .select(["ecosystem_id", "client_id", "epoch"])
    .where("node_id", "=", p.node)
    .where("closed_at", "is", null),
);

export interface OpenTunnel {
  readonly ecosystem_id: string;
  readonly client_id: string;
  readonly epoch: number;
}

/** Tunnels that a node has, by the database. */
export function openTunnelsOf(store: Store, node: string): Promise<OpenTunnel[]> {
  return store.service.all(selectOpenTunnels, { node });
}

const selectLease = statement<{ node: string; lease: number }>("node_lease")((db, p) =>
  db.selectFrom("nodes").select("id").where("id", "=", p.node).where("lease", "=", p.lease),
);

/** Whether the node still has its lease. */
export async function leaseStands(store: Pick<Store, "service">, node: string, lease: number): Promise<boolean> {
  return (await store.service.all(selectLease, { node, lease })).length > 0;
}
