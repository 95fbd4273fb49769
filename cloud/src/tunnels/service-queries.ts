/** The questions of this room that cross tenants: which hubs nobody has a tunnel of, and whether a node's lease stands. */
import { type Store, statement } from "../store/index.ts";

export interface Orphan {
  readonly ecosystem_id: string;
  readonly id: string;
  readonly epoch: number;
  readonly reason: string | null;
}

/** Hubs that are online in the log, apart from those whose tunnel stands on another node with a living lease. */
const selectOrphans = statement<{ node: string; now: number }>("orphaned_hubs")((db, p) =>
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
            .where("n.id", "<>", p.node)
            .where("n.lease_until", ">", p.now),
        ),
      ),
    ),
);

/** @param now wall clock, ms */
export function findOrphans(store: Store, node: string, now: number): Promise<Orphan[]> {
  return store.service.all(selectOrphans, { node, now });
}

const selectLease = statement<{ node: string; lease: number }>("node_lease")((db, p) =>
  db.selectFrom("nodes").select("id").where("id", "=", p.node).where("lease", "=", p.lease),
);

/** Whether nobody has taken the node's lease away. */
export async function leaseStands(store: Store, node: string, lease: number): Promise<boolean> {
  return (await store.service.all(selectLease, { node, lease })).length > 0;
}
