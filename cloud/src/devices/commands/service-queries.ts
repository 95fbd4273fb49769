/** This module's queries across tenants: commands that have been open for too long, and commands that have expired in the queue. */
import { type Build, type CommandRow, type Store, statement } from "../../store/index.ts";

/** Maximum commands ended in one go. */
const MOST_AT_ONCE = 500;

const selectStale = statement<{ before: number }>("stale_commands")((db, p) =>
  db
    .selectFrom("commands")
    .selectAll()
    .where("completed_at", "is", null)
    .where("expires_at", "<", p.before)
    .limit(MOST_AT_ONCE),
);

/** @param before wall clock, ms */
export function findStaleCommands(store: Store, before: number): Promise<CommandRow[]> {
  return store.service.all(selectStale, { before });
}

const selectExpired = statement<{ now: number }>("expired_commands")((db, p) =>
  db
    .selectFrom("commands")
    .selectAll()
    .where("state", "=", "queued")
    .where("expires_at", "<=", p.now)
    .orderBy("expires_at")
    .limit(MOST_AT_ONCE),
);
const selectNextExpiry = statement<Record<never, never>>("next_command_expiry")((db) =>
  db.selectFrom("commands").select("expires_at").where("state", "=", "queued").orderBy("expires_at").limit(1),
);

/** Expired commands that still wait, the earliest first. @param now wall clock, ms */
export function findExpiredCommands(store: Store, now: number): Promise<CommandRow[]> {
  return store.service.all(selectExpired, { now });
}

/** Wall clock, ms; undefined when no command waits. */
export async function nextExpiry(store: Store): Promise<number | undefined> {
  const [next] = await store.service.all(selectNextExpiry, {});
  return next?.expires_at;
}

/** Open commands of the hubs whose tunnels a node has. */
const ofNode = (db: Build, node: string) =>
  db
    .selectFrom("commands as c")
    .innerJoin("tunnels as t", (join) =>
      join.onRef("t.ecosystem_id", "=", "c.ecosystem_id").onRef("t.client_id", "=", "c.client_id"),
    )
    .select("t.client_id")
    .distinct()
    .where("t.node_id", "=", node)
    .where("t.closed_at", "is", null)
    .limit(MOST_AT_ONCE);
const selectWaitedFor = statement<{ node: string }>("hubs_waited_for")((db, p) =>
  ofNode(db, p.node).where("c.state", "=", "queued"),
);
const selectOverdue = statement<{ node: string; before: number }>("hubs_overdue")((db, p) =>
  ofNode(db, p.node)
    .where("c.completed_at", "is", null)
    .where("c.state", "=", "sent")
    .where("c.expires_at", "<", p.before),
);

/** Clients with a tunnel on the node and with waiting commands. */
export async function hubsWaitedFor(store: Store, node: string): Promise<string[]> {
  return (await store.service.all(selectWaitedFor, { node })).map((row) => row.client_id);
}

/** Clients with a tunnel on the node and with commands without a known end, whose deadline is earlier. @param before wall clock, ms */
export async function hubsOverdue(store: Store, node: string, before: number): Promise<string[]> {
  return (await store.service.all(selectOverdue, { node, before })).map((row) => row.client_id);
}
