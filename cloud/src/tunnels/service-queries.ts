/** This module's queries across tenants: hubs without a tunnel, and the leases of nodes. */
import { type Store, statement } from "../store/index.ts";

export interface Orphan {
  readonly ecosystem_id: string;
  readonly id: string;
  readonly epoch: number;
  readonly reason: string | null;
}

/** Hubs that are online in the log and have no tunnel on another node with a live lease. */
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
    // A short break is no event: the node that held the tunnel handles it.
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

/** @param recent wall clock, ms: hubs whose tunnel ended after it are excluded */
export function findOrphans(store: Store, node: string, recent: number): Promise<Orphan[]> {
  return store.service.all(selectOrphans, { node, recent });
}

const selectNodes = statement<Record<never, never>>("node_signs")((db) =>
  db.selectFrom("nodes").select(["id", "lease_until", "started_at"]),
);

/** All nodes whose row stands. */
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

/** The tunnels of a node that are open in the database. */
export function openTunnelsOf(store: Store, node: string): Promise<OpenTunnel[]> {
  return store.service.all(selectOpenTunnels, { node });
}

const selectLease = statement<{ node: string; lease: number }>("node_lease")((db, p) =>
  db.selectFrom("nodes").select("id").where("id", "=", p.node).where("lease", "=", p.lease),
);

/** Whether the node still holds its lease. */
export async function leaseStands(store: Pick<Store, "service">, node: string, lease: number): Promise<boolean> {
  return (await store.service.all(selectLease, { node, lease })).length > 0;
}

/** The columns of a node's row that decide whether it is alive. */
export interface NodeSign {
  readonly id: string;
  /** Changes with every renewal. */
  readonly lease_until: number;
  /** Wall clock, ms. */
  readonly started_at: number;
}

/** The last change observed in each node's row. */
export type Seen = ReadonlyMap<string, SeenNode>;

interface SeenNode {
  readonly until: number;
  /** Monotonic time at which the row was first seen in its current state, ms. */
  readonly since: number;
  /** Whether the node started or renewed under observation: a row from before the observer's first look proves nothing. */
  readonly proven: boolean;
}

export interface Look {
  readonly seen: Seen;
  /** Nodes that did not renew in time, as last seen. */
  readonly dead: readonly NodeSign[];
  /** Whether a node has started since the previous look. */
  readonly hasNew: boolean;
}

/**
 * Decides which nodes have died, as a live node sees it: pure. A lease is over when it stood unrenewed for its whole
 * length of the observer's own monotonic time, so that no wall clocks of two nodes are compared.
 * @param before undefined at the first look
 * @param now monotonic, ms
 */
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

/** Whether every node found at the first look is known to be alive, by a renewal since. */
export function areAllProven(seen: Seen): boolean {
  return seen.values().every(({ proven }) => proven);
}

/**
 * Whether a node that has a row is known to be alive: it started after the last look, or renewed within its lease.
 * @param lookedAt monotonic time of the last look, ms
 */
export function isProven(seen: Seen | undefined, id: string, lookedAt: number, now: number, leaseMs: number): boolean {
  if (seen === undefined) return false;
  const { since, proven } = seen.get(id) ?? { since: lookedAt, proven: true };
  return proven && now - since < leaseMs;
}
