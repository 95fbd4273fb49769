/** The questions of this module that cross tenants: which hubs have no tunnel, and whether a node's lease stands. */
import { type Store, statement } from "../../store/index.ts";

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

// Which nodes have died, as one that lives sees it: pure. A lease is over when it has stood unrenewed for its whole length of the
// observer's own monotonic time, so that no two nodes' wall clocks are ever compared.

/** What is looked at of a node's row. */
export interface NodeSign {
  readonly id: string;
  /** Another number after every renewal. */
  readonly lease_until: number;
  /** Wall clock, ms. */
  readonly started_at: number;
}

/** What was seen of each node when its row was another than before. */
export type Seen = ReadonlyMap<string, SeenNode>;

interface SeenNode {
  readonly until: number;
  /** Monotonic time at which the row was first seen as it is, ms. */
  readonly since: number;
  /** Whether it has renewed or begun while the observer looked: a row from before the observer's first look proves nothing. */
  readonly proven: boolean;
}

export interface Look {
  readonly seen: Seen;
  /** Those that did not renew in time, as they stood. */
  readonly dead: readonly NodeSign[];
  /** Whether a node has begun since the look before. */
  readonly hasNew: boolean;
}

/** @param before undefined at the first look @param now monotonic, ms */
export function lookAtLeases(
  before: Seen | undefined,
  rows: readonly NodeSign[],
  self: string,
  now: number,
  leaseMs: number,
): Look {
  const seen = new Map<string, SeenNode>();
  const dead: NodeSign[] = [];
  let hasNew = false;
  for (const row of rows) {
    if (row.id === self) continue;
    const known = before?.get(row.id);
    const changed = { until: row.lease_until, since: now, proven: before !== undefined };
    const sign = known?.until === row.lease_until ? known : changed;
    hasNew ||= before !== undefined && known === undefined;
    seen.set(row.id, sign);
    if (now - sign.since >= leaseMs) dead.push(row);
  }
  return { seen, dead, hasNew };
}

/** Whether each node that was found is known to live: one whose row was there at the first look has renewed it since. */
export function areAllProven(seen: Seen): boolean {
  return seen.values().every(({ proven }) => proven);
}

/**
 * Whether a node that has a row is known to live: it began after the last look, or has renewed within its lease.
 * @param lookedAt monotonic time of the last look, ms
 */
export function isProven(seen: Seen | undefined, id: string, lookedAt: number, now: number, leaseMs: number): boolean {
  if (seen === undefined) return false;
  const { since, proven } = seen.get(id) ?? { since: lookedAt, proven: true };
  return proven && now - since < leaseMs;
}
