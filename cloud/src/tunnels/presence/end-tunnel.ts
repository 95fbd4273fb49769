/** The write jobs after a tunnel: that it ended and why, and, when nothing came in its place, that the hub is offline. */
import type { Clock } from "@porchlight/shared/kernel";
import { event } from "../../events/index.ts";
import { type Store, statement } from "../../store/index.ts";
import { clientResource, readClient } from "./client-resource.ts";
import { agentOf, type EndSign } from "./presence.ts";

/** A connection that is over. */
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

/** Stores that the tunnel ended. A newer connection of the client is left alone. */
export function recordEnd(store: Store, ended: EndedTunnel): Promise<void> {
  const { clientId: client, epoch, reason } = ended;
  return store.write(ended.ecosystemId, async (tx) => {
    const eco = ended.ecosystemId;
    await tx.run(closeRow, { eco, client, epoch, at: ended.closedAt, reason });
    await tx.run(noteEnd, { eco, client, epoch, seen: ended.lastHeardAt, reason });
  });
}

/** A hub that the log calls online and that no tunnel stands for. */
export interface MissingHub {
  readonly ecosystemId: string;
  readonly clientId: string;
  /** Of its last connection: the job does nothing when there has been another since. */
  readonly epoch: number;
  /** Since when it is offline, wall-clock ms; now when its end was not seen. */
  readonly since?: number | undefined;
  readonly reason: string;
}

/** Writes `hub.offline`, unless the log says so already or the hub is back. */
export function recordOffline(store: Store, clock: Clock, missing: MissingHub): Promise<void> {
  const { ecosystemId, clientId, reason } = missing;
  return store.write(ecosystemId, async (tx) => {
    const client = await readClient(tx, ecosystemId, clientId);
    if (client?.epoch !== missing.epoch || client.online === 0) return;
    const since = missing.since ?? clock.now();
    // Of a tunnel whose end was not seen the row has when it was opened: when the hub was last heard is not known.
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
