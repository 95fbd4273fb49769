/** The write jobs after a tunnel: its end and the reason, and, when no other tunnel follows, that the hub is offline. */
import type { Clock } from "@porchlight/shared/kernel";
import { event } from "../events/index.ts";
import { type Store, statement } from "../store/index.ts";
import { clientResource, readClient } from "./client-resource.ts";
import { agentOf, type EndSign } from "./presence.ts";

/** A connection that has ended. */
export interface EndedTunnel extends EndSign {
  readonly ecosystemId: string;
  readonly clientId: string;
  readonly epoch: number;
}

type Client = { eco: string; client: string };
type Ended = Client & { epoch: number; at: number; reason: string };

const closeRow = statement<Ended>("close_tunnel")((db, p) =>
  db
    .updateTable("tunnels")
    .set({ closed_at: p.at, reason: p.reason })
    .where("ecosystem_id", "=", p.eco)
    .where("client_id", "=", p.client)
    .where("epoch", "=", p.epoch)
    .where("closed_at", "is", null),
);
const noteEnd = statement<Client & { epoch: number; seen: number; reason: string }>("note_tunnel_end")((db, p) =>
  db
    .updateTable("clients")
    .set({ last_seen_at: p.seen, reason: p.reason })
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.client)
    .where("epoch", "=", p.epoch),
);
const goOffline = statement<Client & { at: number; seen: number | null; reason: string }>("client_offline")((db, p) =>
  db
    .updateTable("clients")
    .set({ online: 0, online_since: p.at, last_seen_at: p.seen, reason: p.reason })
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.client),
);

/** Stores the end of a tunnel. A newer connection of the client is not changed. */
export function recordEnd(store: Store, ended: EndedTunnel): Promise<void> {
  const { clientId: client, epoch, reason } = ended;
  return store.write(ended.ecosystemId, async (tx) => {
    const eco = ended.ecosystemId;
    await tx.run(closeRow, { eco, client, epoch, at: ended.closedAt, reason });
    await tx.run(noteEnd, { eco, client, epoch, seen: ended.lastHeardAt, reason });
  });
}

/** A hub that is online in the log and has no tunnel. */
export interface MissingHub {
  readonly ecosystemId: string;
  readonly clientId: string;
  /** The epoch of its last connection: the job does nothing if a newer one exists. */
  readonly epoch: number;
  /** Start of the offline time, wall-clock ms; now when no node observed the end. */
  readonly since?: number | undefined;
  readonly reason: string;
}

/** Writes `hub.offline`, unless the log has it already or the hub is back. */
export function recordOffline(store: Store, clock: Clock, missing: MissingHub): Promise<void> {
  const { ecosystemId, clientId, reason } = missing;
  return store.write(ecosystemId, async (tx) => {
    const client = await readClient(tx, ecosystemId, clientId);
    if (client?.epoch !== missing.epoch || client.online === 0) return;
    const since = missing.since ?? clock.now();
    // When no node observed the tunnel's end, the row has the time of its opening: the time of the hub's last message
    // is unknown.
    const seen = client.reason === null ? null : client.last_seen_at;
    await tx.run(goOffline, { eco: ecosystemId, client: clientId, at: since, seen, reason });
    const shown = clientResource(client, {
      state: "offline",
      since,
      lastSeenAt: seen ?? undefined,
      ...agentOf(client),
      reason,
    });
    tx.append(event("hub.offline", client.environment_id, shown));
  });
}
