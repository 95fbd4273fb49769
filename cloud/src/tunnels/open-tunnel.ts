/**
 * The write job that makes a connection the client's newest: binding, epoch, history, presence, in one transaction.
 * Openings that arrive together share a transaction, because all hubs reconnect at once after an outage.
 */
import type { Clock, Id } from "@porchlight/shared/kernel";
import type { CloseReason, Hello } from "@porchlight/shared/tunnel";
import { event } from "../events/index.ts";
import type { InvalidationSink } from "../nodes/index.ts";
import type { Job, JobKind, KindSql, Store, Transaction } from "../store/index.ts";
import { type ClientSnapshot, clientResource, readClients } from "./client-resource.ts";
import { MOST_PAST, OpeningWrites, type Past, readPast } from "./opening-rows.ts";
import { type HubConnection, standingSince } from "./presence.ts";
import type { Hub } from "./session/hub.ts";

/** The client of a connection, from its token. */
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
  /** Notifies the other nodes, one of which may hold the previous connection. */
  readonly invalidations: InvalidationSink;
  /** Whether that connection of the client is live on this node. */
  readonly isLive: (clientId: string, epoch: number) => boolean;
  /** A connection is live when a message arrived within this time, ms. */
  readonly leaseMs: number;
  /** Called in the job when the hub has a new history: the positions stored for the old one must be reset. */
  readonly newHistory: (tx: Transaction, hub: Hub) => Promise<void>;
}

export interface OpenRequest {
  readonly owner: TunnelOwner;
  /** Signed with the key that it presents. */
  readonly hello: Hello;
  readonly address: string;
  /** Whether the owner is notified of a mismatched key or edgeId. */
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
      /** When the client's earlier connections of the last day were opened, wall-clock ms. */
      readonly openings: readonly number[];
    };

const DAY_MS = 24 * 3_600_000;
/** Shared by all clients without an earlier connection. */
const NO_OPENINGS: readonly number[] = [];

export class Openings {
  readonly #deps: OpenDeps;
  readonly #kind: JobKind<OpenRequest, OpenResult>;
  #underWay = 0;
  #done = 0;

  constructor(deps: OpenDeps) {
    this.#deps = deps;
    this.#kind = { together: (sql, jobs) => openTogether(deps, sql, jobs) };
  }

  /** Openings that are being stored. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Openings that finished since the start, stored or failed. */
  get done(): number {
    return this.#done;
  }

  /** @throws "Service Unavailable" when the store refuses */
  async open(request: OpenRequest): Promise<OpenResult> {
    this.#underWay += 1;
    try {
      return await this.#deps.store.writeOf(this.#kind, request.owner.ecosystemId, request);
    } finally {
      this.#underWay -= 1;
      this.#done += 1;
    }
  }
}

async function openTogether(
  deps: OpenDeps,
  sql: KindSql,
  jobs: readonly Job<OpenRequest>[],
): Promise<readonly PromiseSettledResult<OpenResult>[]> {
  const results: PromiseSettledResult<OpenResult>[] = [];
  for (const some of withoutRepeats(jobs)) {
    const keys = some.map(({ input: { owner } }) => ({ eco: owner.ecosystemId, client: owner.clientId }));
    const [clients, past] = await Promise.all([readClients(sql, keys), readPast(sql, keys)]);
    const writes = new OpeningWrites();
    const renewed: (() => Promise<void>)[] = [];
    for (const [at, { tx, input }] of some.entries()) {
      const value = open(deps, tx, input, clients[at], past[at] ?? [], writes);
      results.push({ status: "fulfilled", value });
      if (value.kind === "opened" && value.newLog) renewed.push(() => deps.newHistory(tx, value.hub));
    }
    writes.write(sql);
    for (const renew of renewed) await renew();
  }
  return results;
}

/** Splits the jobs, in order, into parts without a repeated client, so that a client's second opening sees its first. */
function withoutRepeats(jobs: readonly Job<OpenRequest>[]): Job<OpenRequest>[][] {
  const parts: Job<OpenRequest>[][] = [];
  let clients = new Set<string>();
  for (const job of jobs) {
    const { clientId } = job.input.owner;
    const part = parts.at(-1);
    if (part && !clients.has(clientId)) part.push(job);
    else {
      parts.push([job]);
      clients = new Set();
    }
    clients.add(clientId);
  }
  return parts;
}

/** Decides, appends the events, and collects the rows to write. */
function open(
  deps: OpenDeps,
  tx: Transaction,
  request: OpenRequest,
  client: ClientSnapshot | undefined,
  past: readonly Past[],
  writes: OpeningWrites,
): OpenResult {
  const { owner, hello } = request;
  const key = { eco: owner.ecosystemId, client: owner.clientId };
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
  const { ecosystemId, environmentId, clientId } = owner;
  const hub: Hub = { ecosystemId, environmentId, clientId, edgeId: hello.edgeId, epoch, logId: hello.logId };
  const lives = livesOn(deps, owner.clientId, past[0]);
  const arrival = arrive(past.map(pastTunnel), lives, hello.instance, at);
  if (arrival.kind === "refused") return { kind: "refused", reason: "duplicate" };
  writes.bound.push({
    ...key,
    key: hello.publicKey,
    edge: hello.edgeId,
    epoch,
    log: hello.logId,
    position,
    version: hello.agentVersion,
    scenes: storesScenes(hello) ? 1 : 0,
    since: client.online === 1 ? (client.online_since ?? at) : at,
    at,
  });
  const { instance } = hello;
  const before = at - DAY_MS;
  if (past.some((row) => row.closed_at === null))
    writes.ended.push({ ...key, at, reason: lives ? "superseded" : "lost" });
  if (past.length === MOST_PAST || past.some((row) => row.closed_at !== null && row.closed_at < before))
    writes.forgotten.push({ ...key, before });
  writes.inserted.push({ ...key, epoch, node: deps.nodeId(), at, instance, kept: arrival.kept ? 1 : 0 });
  tx.afterCommit(() => deps.invalidations.note({ kind: "tunnel", clientId: owner.clientId, epoch }));

  const shown = clientResource({ ...client, edge_id: hello.edgeId }, onlineSince(at, hello));
  if (newLog || wasRestarted(past[0], instance)) {
    const seen = lives ? Math.max(at - deps.leaseMs, client.last_seen_at ?? 0) : (client.last_seen_at ?? undefined);
    const again = clientResource(client, { ...onlineSince(at, hello), lastSeenAt: seen });
    if (past.length > 0) tx.append(event("hub.restarted", client.environment_id, again));
  }
  if (client.online === 0) tx.append(event("hub.online", client.environment_id, shown));
  if (arrival.duplicate) tx.append(event("hub.duplicate", client.environment_id, shown));
  const openings = past.length === 0 ? NO_OPENINGS : openedSince(past, before);
  return { kind: "opened", hub, openedAt: at, newLog, position, resync, inventory, openings };
}

/** Whether the agent restarted since its previous connection. */
function wasRestarted(newest: Past | undefined, instance: string): boolean {
  return newest !== undefined && newest.instance !== null && newest.instance !== instance;
}

/** Whether the newest connection is live: this node checks its own tunnel, another node's is live while that node is. */
function livesOn(deps: OpenDeps, clientId: string, newest: Past | undefined): boolean {
  if (!newest || newest.closed_at !== null) return false;
  return newest.node_id === deps.nodeId() ? deps.isLive(clientId, newest.epoch) : newest.living_node !== null;
}

function pastTunnel({ instance, reason, closed_at, kept }: Past): PastTunnel {
  const takenOverAt = reason === "superseded" ? (closed_at ?? undefined) : undefined;
  return { instance, takenOverAt, kept: kept === 1 };
}

/** Whether the hello came from another hub than the client is bound to. */
export function isIdentityMismatch(reason: CloseReason): boolean {
  return reason === "wrong_key" || reason === "wrong_edge";
}

function openedSince(past: readonly Past[], before: number): readonly number[] {
  return past.map((row) => row.opened_at).filter((opened) => opened > before);
}

/** Another hub uses the client's token: the owner must be notified. */
function appendDuplicateEvent(
  tx: Transaction,
  deps: OpenDeps,
  { hello, address }: OpenRequest,
  client: ClientSnapshot,
  reason: CloseReason,
): void {
  const state = client.online === 1 ? "online" : "offline";
  const since = standingSince(client) ?? client.online_since ?? deps.clock.now();
  const shown = clientResource(client, { state, since });
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

/** An earlier connection of the client, from its row. */
export interface PastTunnel {
  /** The agent's run that opened it; null for a connection stored before this column existed. */
  readonly instance: string | null;
  /** When a newer connection took over from it while it was live, wall-clock ms; undefined if it ended otherwise or is open. */
  readonly takenOverAt: number | undefined;
  /** Two instances were detected when it opened, and this is the one that stays. */
  readonly kept: boolean;
}

type Arrival =
  | {
      readonly kind: "takes_over";
      /** This takeover proves that there are two instances. */
      readonly duplicate: boolean;
      /** The new connection is the one that stays. */
      readonly kept: boolean;
    }
  /** The other instance stays until it disconnects. */
  | { readonly kind: "refused" };

const WINDOW_MS = 10 * 60_000;
const LIMIT = 3;

/**
 * Decides whether a connection takes over, and whether two instances of one client keep displacing each other. Pure,
 * from the client's stored connections, so that every node decides the same.
 * @param past earlier connections of the client, the newest first
 * @param lives whether the newest of them is live
 * @param now wall clock, ms
 */
export function arrive(past: readonly PastTunnel[], lives: boolean, instance: string, now: number): Arrival {
  const living = lives ? past[0] : undefined;
  if (!living) return { kind: "takes_over", duplicate: false, kept: false };
  if (living.instance === instance) return { kind: "takes_over", duplicate: false, kept: living.kept };
  if (living.kept) return { kind: "refused" };
  const betweenThem = past.filter(({ instance: from, takenOverAt }, place) => {
    if (takenOverAt === undefined || now - takenOverAt >= WINDOW_MS) return false;
    const to = past[place - 1]?.instance;
    return (from === living.instance && to === instance) || (from === instance && to === living.instance);
  });
  const duplicate = betweenThem.length + 1 >= LIMIT;
  return { kind: "takes_over", duplicate, kept: duplicate };
}

/** The part of a hello that is compared with the store. */
export interface HelloClaims {
  readonly edgeId: string;
  readonly publicKey: string;
  readonly logId: string;
  readonly lastNumber: number;
  readonly acknowledged: number;
  readonly inventoryDigest: string;
}

/** The stored state of the client. */
export interface StoredClient {
  readonly publicKey: string | null;
  readonly edgeId: string | null;
  readonly epoch: number;
  readonly logId: string | null;
  readonly position: number;
  readonly inventoryDigest: string | null;
}

type HelloDecision =
  | { readonly kind: "refused"; readonly reason: CloseReason }
  | {
      readonly kind: "open";
      readonly epoch: number;
      /** The history differs from the stored one: its record numbers and open commands are void. */
      readonly newLog: boolean;
      readonly position: number;
      readonly resync: boolean;
      readonly inventory: boolean;
    };

/**
 * Decides the outcome of a hello from the stored client. Pure, so that one table of tests covers every case.
 * @param stored undefined when the client is deleted
 * @param hello signed with the key that it presents
 */
export function decideHello(stored: StoredClient | undefined, hello: HelloClaims): HelloDecision {
  if (!stored) return { kind: "refused", reason: "token_revoked" };
  if (stored.publicKey !== null && stored.publicKey !== hello.publicKey)
    return { kind: "refused", reason: "wrong_key" };
  if (stored.edgeId !== null && stored.edgeId !== hello.edgeId) return { kind: "refused", reason: "wrong_edge" };
  // A history that ends before the stored position is a new history under an old name.
  const newLog = stored.logId !== hello.logId || hello.lastNumber < stored.position;
  return {
    kind: "open",
    epoch: stored.epoch + 1,
    newLog,
    position: newLog ? 0 : stored.position,
    resync: newLog || stored.position < hello.acknowledged,
    inventory: stored.inventoryDigest !== hello.inventoryDigest,
  };
}
