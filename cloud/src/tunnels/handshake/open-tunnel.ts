/** The write job with which a connection becomes the client's newest: binding, epoch, history, presence, in one transaction. */
import type { Clock, Id } from "@porchlight/shared/kernel";
import type { CloseReason, Hello } from "@porchlight/shared/tunnel";
import { event } from "../../events/index.ts";
import type { InvalidationSink } from "../../nodes/index.ts";
import { type Store, statement, type Transaction } from "../../store/index.ts";
import { type ClientSnapshot, clientResource, readClient } from "../presence/client-resource.ts";
import type { HubConnection } from "../presence/presence.ts";
import type { Hub } from "../session/hub.ts";
import { decideHello } from "./hello-decision.ts";
import { arrive, type PastTunnel } from "./replacements.ts";

/** Whose connection it is, as its token says. */
export interface TunnelOwner {
  readonly ecosystemId: string;
  readonly environmentId: string;
  readonly clientId: Id<"cli">;
  readonly tokenId: string;
}

export interface OpenDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly nodeId: () => string;
  /** The other nodes, one of which may have the connection before this one. */
  readonly invalidations: InvalidationSink;
  /** Whether that connection of the client lives, as far as it is this node's. */
  readonly isLive: (clientId: string, epoch: number) => boolean;
  /** A connection that lives was heard within this time, ms. */
  readonly leaseMs: number;
  /** Told, in the job, of a history that replaces another: what was stored under the old one's numbers must be reset. */
  readonly newHistory: (tx: Transaction, hub: Hub) => Promise<void>;
}

export interface OpenRequest {
  readonly owner: TunnelOwner;
  /** Signed with the key that it presents. */
  readonly hello: Hello;
  readonly address: string;
  /** Whether the owner must be told of another key or edgeId. */
  readonly tellOwner: boolean;
}

export type OpenResult =
  | { readonly kind: "refused"; readonly reason: CloseReason }
  | {
      readonly kind: "opened";
      readonly hub: Hub;
      readonly openedAt: number;
      readonly newLog: boolean;
      readonly position: number;
      readonly resync: boolean;
      readonly inventory: boolean;
      /** When the connections of the last day before this one were opened, wall-clock ms. */
      readonly openings: readonly number[];
    };

const DAY_MS = 24 * 3_600_000;
/** Connections of the last day that are looked at: a hub that comes back more often is no better known by the exact number. */
const MOST_PAST = 200;

type Client = { eco: string; client: string };
type Opened = Client & {
  key: string;
  edge: string;
  epoch: number;
  log: string;
  position: number;
  version: string;
  scenes: number;
  since: number;
  at: number;
};

const bindClient = statement<Opened>("open_client")((db, p) =>
  db
    .updateTable("clients")
    .set({
      public_key: p.key,
      edge_id: p.edge,
      epoch: p.epoch,
      log_id: p.log,
      position: p.position,
      agent_version: p.version,
      stores_scenes: p.scenes,
      online: 1,
      online_since: p.since,
      last_seen_at: p.at,
      reason: null,
    })
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.client),
);
const endOlder = statement<Client & { at: number; reason: string }>("supersede_tunnels")((db, p) =>
  db
    .updateTable("tunnels")
    .set({ closed_at: p.at, reason: p.reason })
    .where("ecosystem_id", "=", p.eco)
    .where("client_id", "=", p.client)
    .where("closed_at", "is", null),
);
const forgetOld = statement<Client & { before: number }>("forget_tunnels")((db, p) =>
  db
    .deleteFrom("tunnels")
    .where("ecosystem_id", "=", p.eco)
    .where("client_id", "=", p.client)
    .where("closed_at", "<", p.before),
);
type Inserted = Client & { epoch: number; node: string; at: number; instance: string; kept: number };
const insertTunnel = statement<Inserted>("insert_tunnel")((db, p) =>
  db.insertInto("tunnels").values({
    ecosystem_id: p.eco,
    client_id: p.client,
    epoch: p.epoch,
    node_id: p.node,
    opened_at: p.at,
    closed_at: null,
    reason: null,
    instance: p.instance,
    kept: p.kept,
  }),
);
const selectPast = statement<Client>("past_tunnels")((db, p) =>
  db
    .selectFrom("tunnels as t")
    .leftJoin("nodes as n", "n.id", "t.node_id")
    .select(["t.epoch", "t.node_id", "t.opened_at", "t.closed_at", "t.reason", "t.instance", "t.kept"])
    .select("n.id as living_node")
    .where("t.ecosystem_id", "=", p.eco)
    .where("t.client_id", "=", p.client)
    .orderBy("t.epoch", "desc")
    .limit(MOST_PAST),
);
type Past = NonNullable<(typeof selectPast)["types"]>["row"];

/** @throws "Service Unavailable" when the store does not take it */
export function openTunnel(deps: OpenDeps, request: OpenRequest): Promise<OpenResult> {
  const { owner, hello } = request;
  return deps.store.write(owner.ecosystemId, async (tx) => {
    const key = { eco: owner.ecosystemId, client: owner.clientId };
    const [client, past] = await Promise.all([
      readClient(tx, owner.ecosystemId, owner.clientId),
      tx.all(selectPast, key),
    ]);
    const stored = client && {
      publicKey: client.public_key,
      edgeId: client.edge_id,
      epoch: client.epoch,
      logId: client.log_id,
      position: client.position,
      inventoryDigest: client.inventory_digest,
    };
    const decision = decideHello(stored, hello);
    if (decision.kind === "refused" || !client) {
      const reason = decision.kind === "refused" ? decision.reason : "token_revoked";
      if (client && request.tellOwner && isIdentityMismatch(reason))
        appendDuplicateEvent(tx, deps, request, client, reason);
      return { kind: "refused", reason };
    }

    const at = deps.clock.now();
    const { epoch, newLog, position, resync, inventory } = decision;
    const hub: Hub = { ...owner, edgeId: hello.edgeId, epoch, logId: hello.logId };
    const lives = livesOn(deps, owner.clientId, past[0]);
    const arrival = arrive(past.map(pastTunnel), lives, hello.instance, at);
    if (arrival.kind === "refused") return { kind: "refused", reason: "duplicate" };
    const bound = {
      key: hello.publicKey,
      edge: hello.edgeId,
      epoch,
      log: hello.logId,
      position,
      version: hello.agentVersion,
      scenes: storesScenes(hello) ? 1 : 0,
      since: client.online === 1 ? (client.online_since ?? at) : at,
      at,
    };
    const { instance } = hello;
    const before = at - DAY_MS;
    const hasOld = past.length === MOST_PAST || past.some((row) => row.closed_at !== null && row.closed_at < before);
    await Promise.all([
      tx.run(bindClient, { ...key, ...bound }),
      tx.run(endOlder, { ...key, at, reason: lives ? "superseded" : "lost" }),
      hasOld && tx.run(forgetOld, { ...key, before }),
      tx.run(insertTunnel, { ...key, epoch, node: deps.nodeId(), at, instance, kept: arrival.kept ? 1 : 0 }),
    ]);
    if (newLog) await deps.newHistory(tx, hub);
    tx.afterCommit(() => deps.invalidations.note({ kind: "tunnel", clientId: owner.clientId, epoch }));

    const shown = clientResource({ ...client, edge_id: hello.edgeId }, onlineSince(at, hello));
    if (newLog || wasRestarted(past[0], instance)) {
      const seen = lives ? at - deps.leaseMs : (client.last_seen_at ?? undefined);
      const again = clientResource(client, { ...onlineSince(at, hello), lastSeenAt: seen });
      if (past.length > 0) tx.append(event("hub.restarted", client.environment_id, again));
    }
    if (client.online === 0) tx.append(event("hub.online", client.environment_id, shown));
    if (arrival.duplicate) tx.append(event("hub.duplicate", client.environment_id, shown));
    const openings = past.map((row) => row.opened_at).filter((opened) => opened > before);
    return { kind: "opened", hub, openedAt: at, newLog, position, resync, inventory, openings };
  });
}

/** Whether the agent was started again since the connection before this one. */
function wasRestarted(newest: Past | undefined, instance: string): boolean {
  return newest !== undefined && newest.instance !== null && newest.instance !== instance;
}

/** Whether the newest connection lives: on this node as the node itself knows, on another as long as that one is alive. */
function livesOn(deps: OpenDeps, clientId: string, newest: Past | undefined): boolean {
  if (!newest || newest.closed_at !== null) return false;
  return newest.node_id === deps.nodeId() ? deps.isLive(clientId, newest.epoch) : newest.living_node !== null;
}

function pastTunnel({ instance, reason, closed_at, kept }: Past): PastTunnel {
  const takenOverAt = reason === "superseded" ? (closed_at ?? undefined) : undefined;
  return { instance, takenOverAt, kept: kept === 1 };
}

/** Whether it was another hub than the one that the client is bound to. */
export function isIdentityMismatch(reason: CloseReason): boolean {
  return reason === "wrong_key" || reason === "wrong_edge";
}

/** Somebody has the client's token and is another hub: the owner ought to know. */
function appendDuplicateEvent(
  tx: Transaction,
  deps: OpenDeps,
  { hello, address }: OpenRequest,
  client: ClientSnapshot,
  reason: CloseReason,
): void {
  const state = client.online === 1 ? "online" : "offline";
  const shown = clientResource(client, { state, since: client.online_since ?? deps.clock.now() });
  const data = { ...shown, refused: { reason, edgeId: hello.edgeId, address } };
  tx.append(event("hub.duplicate", client.environment_id, data));
}

function onlineSince(at: number, hello: Hello): HubConnection {
  const { agentVersion } = hello;
  return { state: "online", since: at, lastSeenAt: at, agentVersion, storesScenes: storesScenes(hello) };
}

function storesScenes({ scenesDigest }: Hello): boolean {
  return scenesDigest !== undefined;
}
