/** The module as a whole: every tunnel of this node, the sweep over them, presence, the node's lease, drain and close. */
import { type Clock, every, LinkedAbort, type Log, type Random, sleep, type Timer } from "@porchlight/shared/kernel";
import type { CloseReason, MessageSocket } from "@porchlight/shared/tunnel";
import { type ClientPrincipal, isEndedBy, type Revocation, type Tokens } from "../access/index.ts";
import { type InvalidationSink, NO_INVALIDATIONS } from "../nodes/index.ts";
import type { Store } from "../store/index.ts";
import { type ConnectionOrigin, Handshake, type HandshakeDeps, IdentityMismatchThrottle } from "./handshake.ts";
import { NodeLease } from "./node-lease.ts";
import { Openings } from "./open-tunnel.ts";
import { PresenceKeeper } from "./presence-keeper.ts";
import type { LivingNodes } from "./rollout-target.ts";
import type { NodeSign } from "./service-queries.ts";
import { HubBudgets } from "./session/hub-budgets.ts";
import type { HubListener } from "./session/hub-listener.ts";
import { OwnRows, TunnelRegistry } from "./session/own-rows.ts";
import type { Tunnel } from "./session/tunnel.ts";
import { TUNNEL_DEFAULTS, type TunnelSettings } from "./settings.ts";

export interface TunnelsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly listener: HubListener;
  readonly tokens: Pick<Tokens, "revoke">;
  readonly settings?: Partial<TunnelSettings>;
  /** The other nodes; undefined for a single node. */
  readonly others?: TunnelObservers | undefined;
}

/** What other nodes are notified of about this one's tunnels. */
export interface TunnelObservers {
  readonly invalidations: InvalidationSink;
  /** This process is now the node with this ID. */
  readonly onTaken: (nodeId: string) => void;
}

export class Tunnels implements AsyncDisposable {
  readonly registry: TunnelRegistry;
  readonly presence: PresenceKeeper;
  readonly openings: Openings;
  readonly settings: TunnelSettings;
  /** Dropped and refused messages, counted by name. */
  readonly counts = new Map<string, number>();
  readonly #deps: TunnelsDeps;
  readonly #lease: NodeLease;
  readonly #handshakeDeps: HandshakeDeps;
  readonly #handshakes = new Set<Handshake>();
  readonly #stop = new AbortController();
  #sweep: Timer | undefined;
  #ownRows: OwnRows | undefined;
  #sweptAt: number;
  #draining = false;
  #closed: Promise<void> | undefined;

  private constructor(deps: TunnelsDeps, settings: TunnelSettings, lease: NodeLease, registry: TunnelRegistry) {
    this.#deps = deps;
    this.settings = settings;
    this.#lease = lease;
    this.registry = registry;
    this.#sweptAt = deps.clock.monotonic();
    this.presence = new PresenceKeeper({
      ...deps,
      ...settings,
      nodeId: () => lease.nodeId,
      severalNodes: deps.others !== undefined,
      looksForOrphans: () => this.isFirst,
      tunnel: (clientId) => registry.get(clientId),
      provesAlive: (nodeId) => lease.provesAlive(nodeId),
    });
    this.openings = new Openings({
      ...deps,
      ...settings,
      invalidations: deps.others?.invalidations ?? NO_INVALIDATIONS,
      newHistory: (tx, hub) => deps.listener.newHistory(tx, hub),
      nodeId: () => lease.nodeId,
      isLive: (clientId, epoch) => registry.live(clientId)?.hub.epoch === epoch,
    });
    this.#handshakeDeps = {
      ...deps,
      ...settings,
      openings: this.openings,
      mismatches: new IdentityMismatchThrottle(),
      budgets: new HubBudgets(settings.budget),
      nodeAlive: () => lease.alive,
      aliveSince: () => lease.aliveSince,
      onOpen: (tunnel) => {
        if (!registry.add(tunnel)) return;
        this.presence.opened(tunnel.hub.clientId);
        if (!tunnel.isDown) deps.listener.opened(tunnel);
      },
      onEnd: (tunnel, reason) => this.#ended(tunnel, reason),
      onOver: (handshake) => void this.#handshakes.delete(handshake),
      count: (what) => void this.counts.set(what, (this.counts.get(what) ?? 0) + 1),
    };
  }

  /** Takes the node's lease and begins to sweep. @throws "Service Unavailable" when the store takes no writes */
  static async start(deps: TunnelsDeps): Promise<Tunnels> {
    const settings = { ...TUNNEL_DEFAULTS, ...deps.settings };
    const registry = new TunnelRegistry();
    const onLost = () => {
      for (const tunnel of registry.all()) tunnel.close("restart");
    };
    let tunnels: Tunnels | undefined;
    const onOthersDead = () => tunnels?.presence.othersDied();
    const onTaken = (nodeId: string) => {
      tunnels?.presence.leaseTaken();
      deps.others?.onTaken(nodeId);
    };
    const lease = await NodeLease.start({ ...deps, ...settings, onLost, onTaken, onOthersDead });
    tunnels = new Tunnels(deps, settings, lease, registry);
    if (deps.others) tunnels.#ownRows = tunnels.#compareRows();
    tunnels.#sweep = every(deps.clock, "tunnel sweep", settings.sweepMs, () => tunnels.#sweepAll());
    return tunnels;
  }

  #compareRows(): OwnRows {
    const { registry, presence } = this;
    const nodeId = () => this.#lease.nodeId;
    return OwnRows.start({ ...this.#deps, registry, nodeId, onStray: (row) => presence.stray(row) });
  }

  /** This node's ID among the live nodes; changes when its lease was lost. */
  get nodeId(): string {
    return this.#lease.nodeId;
  }

  /** All live nodes, as of the last look. */
  get livingNodes(): readonly NodeSign[] {
    return this.#lease.living;
  }

  /** The nodes that share the database, as of this node's last look. */
  get nodes(): LivingNodes {
    return { self: this.#lease.nodeId, living: this.#lease.living };
  }

  /** Whether this node does the jobs that one node does for all; while the nodes disagree about that, two of them do. */
  get isFirst(): boolean {
    return this.#deps.others === undefined || this.#lease.isFirst;
  }

  /** Whether this node's lease is valid, by its own clock. */
  get alive(): boolean {
    return this.#lease.alive;
  }

  /** Whether it knows which hubs of other nodes are online: a single node has none to wait for. */
  get knowsOthers(): boolean {
    return this.#deps.others === undefined || this.#lease.knowsOthers;
  }

  /** Whether hubs are admitted. */
  get accepting(): boolean {
    return !this.#draining && this.#lease.alive;
  }

  /** Takes an authenticated connection, from a WebSocket or from memory. */
  accept(socket: MessageSocket, principal: ClientPrincipal, via: ConnectionOrigin): void {
    if (!this.accepting) {
      // A listener must be set, or the socket's end is not noticed.
      socket.listen({ message: () => undefined, closed: () => undefined });
      socket.close(1012, "restart");
      return;
    }
    this.#handshakes.add(new Handshake(this.#handshakeDeps, socket, principal, via));
  }

  /** Closes the tunnels of a deleted or revoked token, client, environment or ecosystem. */
  revoke(revocation: Revocation): void {
    for (const connections of [this.#handshakes, this.registry.each()])
      for (const connection of connections) {
        const { owner } = connection;
        if (isEndedBy(revocation, { ...owner, subjectId: owner.clientId })) connection.close("token_revoked");
      }
  }

  /** Stops admitting hubs: they go to other nodes. */
  takeNoMore(): void {
    this.#draining = true;
  }

  /** Admits no more hubs, disconnects each one at its own moment, lets calls in flight finish, then closes. */
  async drain(): Promise<void> {
    this.takeNoMore();
    await Promise.all(this.registry.all().map((tunnel) => this.#sendAway(tunnel)));
  }

  async #sendAway(tunnel: Tunnel): Promise<void> {
    const { clock, random } = this.#deps;
    const { drainSpreadMs, drainLimitMs } = this.settings;
    const afterMs = Math.round(random.fraction() * drainSpreadMs);
    const limit = new LinkedAbort(this.#stop.signal);
    tunnel.goAway(afterMs);
    try {
      await sleep(clock, "drain of a tunnel", afterMs, this.#stop.signal);
      await Promise.race([tunnel.idle(), sleep(clock, "calls of a draining tunnel", drainLimitMs, limit.signal)]);
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error;
    } finally {
      limit.abort();
      limit.end();
      tunnel.close("restart");
    }
  }

  #sweepAll(): void {
    const now = this.#deps.clock.monotonic();
    const late = now - this.#sweptAt > 2 * this.settings.sweepMs;
    this.#sweptAt = now;
    // After a stall of this process, messages that hubs sent meanwhile are still unread: the next sweep decides.
    if (late) return;
    for (const tunnel of this.registry.each()) tunnel.closeIfOver();
    this.#handshakeDeps.budgets.forgetFull(now);
    this.presence.sweep();
  }

  #ended(tunnel: Tunnel, reason: CloseReason | "lost"): void {
    if (!this.registry.remove(tunnel)) return;
    const { ecosystemId, clientId, epoch } = tunnel.hub;
    const closedAt = this.#deps.clock.now();
    const { lastHeardAt } = tunnel.sign;
    // A tunnel that was sent away ended because of this node, whichever end closed it.
    const why = tunnel.isSentAway && reason === "stopping" ? "restart" : reason;
    this.presence.ended({ ecosystemId, clientId, epoch, reason: why, closedAt, lastHeardAt });
  }

  /** Ends as a killed process does: no goodbye to hubs, no write, no more timers. */
  kill(): void {
    this.#draining = true;
    this.#stop.abort(new Error("the process is dead"));
    this.#sweep?.cancel();
    void this.#ownRows?.[Symbol.asyncDispose]();
    this.#lease.kill();
    this.#closed ??= Promise.resolve();
  }

  /** Closes every tunnel at once, stores their ends and deletes the lease. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#draining = true;
    this.#stop.abort(new Error("the tunnels are closed"));
    this.#sweep?.cancel();
    for (const connections of [this.#handshakes, this.registry.each()])
      for (const connection of connections) connection.close("restart");
    await this.#ownRows?.[Symbol.asyncDispose]();
    await this.presence.idle();
    await this.#lease[Symbol.asyncDispose]();
  }
}
