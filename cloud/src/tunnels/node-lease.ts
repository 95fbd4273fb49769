/** This process's lease among the nodes: every write requires it, and a process that does not renew it in time cannot write. */
import { type Clock, every, type Log, type Random, type Timer } from "@porchlight/shared/kernel";
import { isOutage, type Store, statement } from "../store/index.ts";
import {
  areAllProven,
  isProven,
  leaseStands,
  lookAtLeases,
  type NodeSign,
  nodeSigns,
  type Seen,
} from "./service-queries.ts";

/** The part of the store that a lease uses. */
export type LeaseStore = Pick<Store, "service" | "fenceBy" | "writeUnfenced" | "writeService">;

export interface NodeLeaseDeps {
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly nodeLeaseMs: number;
  readonly nodeRenewMs: number;
  /** Interval at which the leases of other nodes are checked, ms. */
  readonly nodeLookMs: number;
  /** The lease expired: everything that depends on it is void. The process takes a new lease. */
  readonly onLost: () => void;
  /** The process has taken a lease and is the node with this ID. */
  readonly onTaken?: ((nodeId: string) => void) | undefined;
  /** Other nodes have died: everything that depends on their leases is void. */
  readonly onOthersDead?: (() => void) | undefined;
}

type Lease = { node: string; lease: number; until: number };

const insertNode = statement<Lease & { at: number }>("insert_node")((db, p) =>
  db.insertInto("nodes").values({ id: p.node, lease: p.lease, lease_until: p.until, started_at: p.at }),
);
const renewLease = statement<Lease>("renew_lease")((db, p) =>
  db.updateTable("nodes").set({ lease_until: p.until }).where("id", "=", p.node).where("lease", "=", p.lease),
);
/** Deleting the row fences the node: its later writes fail. */
const endDead = statement<{ node: string; until: number }>("end_dead_node")((db, p) =>
  db.deleteFrom("nodes").where("id", "=", p.node).where("lease_until", "=", p.until),
);
const endOwn = statement<{ node: string; lease: number }>("end_own_node")((db, p) =>
  db.deleteFrom("nodes").where("id", "=", p.node).where("lease", "=", p.lease),
);

/** Retry delay after a failed renewal, ms: the failure may already have used up most of the lease. */
const AGAIN_MS = 500;
/**
 * Looks at the other nodes within which a live node renews before this one: it sees this node at its next look, and we
 * see its renewal at ours.
 */
const LOOKS_UNTIL_SEEN = 3;
/** Part of the lease during which this node relies on it; the database's clock may be a little ahead. */
const SAFE_PART = 0.9;

export class NodeLease implements AsyncDisposable {
  readonly #deps: NodeLeaseDeps;
  #id: string;
  readonly #lease = 1;
  #safeUntil = Number.NEGATIVE_INFINITY;
  #renewal: Promise<void> | undefined;
  #timers: Timer[] = [];
  #again: Timer | undefined;
  /** Start of the process: a new lease does not change it. */
  readonly #startedAt: number;
  #until = 0;
  #aliveSince = 0;
  /** True from taking the lease until its loss is detected. */
  #isHeld = false;
  #others: Seen | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #firstLookAt: number | undefined;
  /** The IDs that this process had before it lost their leases. */
  readonly #former = new Set<string>();
  #living: readonly NodeSign[] = [];
  #looking: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  private constructor(deps: NodeLeaseDeps) {
    this.#deps = deps;
    this.#id = newNodeId(deps.random);
    this.#startedAt = deps.clock.now();
  }

  /** Takes a lease. While the database rejects writes it keeps trying, because reads can be answered meanwhile. */
  static async start(deps: NodeLeaseDeps): Promise<NodeLease> {
    const lease = new NodeLease(deps);
    await lease.#take().catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      deps.log.warn({ error }, "the node could not take a lease; it tries again, and accepts no hubs meanwhile");
      lease.#tryAgain();
    });
    await lease.#look();
    lease.#timers = [
      every(deps.clock, "node lease", deps.nodeRenewMs, () => lease.#tick()),
      every(deps.clock, "leases of other nodes", deps.nodeLookMs, () => void lease.#look()),
    ];
    return lease;
  }

  /** All live nodes as of the last look, including this one. */
  get living(): readonly NodeSign[] {
    return this.#living;
  }

  /** Whether this node does the jobs that one node does for all; while the nodes disagree about that, two of them do. */
  get isFirst(): boolean {
    return this.#living.every(({ id }) => this.#id <= id);
  }

  get nodeId(): string {
    return this.#id;
  }

  /** Whether this node may answer for its tunnels: by its own monotonic clock, counted from before the last renewal was sent. */
  get alive(): boolean {
    return this.#deps.clock.monotonic() < this.#safeUntil;
  }

  /** Wall-clock time since which this node has been alive without interruption, ms. */
  get aliveSince(): number {
    return this.#aliveSince;
  }

  /** Whether this process has itself observed that the other node, which has a row, is alive. */
  provesAlive(nodeId: string): boolean {
    if (this.#former.has(nodeId)) return false;
    const { clock, nodeLeaseMs } = this.#deps;
    return isProven(this.#others, nodeId, this.#lookedAt, clock.monotonic(), nodeLeaseMs);
  }

  /** Whether this process has had enough time to observe which of the nodes found at its first look are alive. */
  get knowsOthers(): boolean {
    if (this.#others === undefined || this.#firstLookAt === undefined) return false;
    const { clock, nodeLookMs } = this.#deps;
    return clock.monotonic() - this.#firstLookAt >= LOOKS_UNTIL_SEEN * nodeLookMs || areAllProven(this.#others);
  }

  #tick(): void {
    if (this.#renewal !== undefined || this.#stopped !== undefined) return;
    this.#again?.cancel();
    this.#renewal = this.#renew()
      .catch((error: unknown) => {
        this.#deps.log.warn({ error }, "the node's lease could not be renewed");
        this.#tryAgain();
      })
      .finally(() => {
        this.#renewal = undefined;
      });
  }

  #tryAgain(): void {
    if (this.#stopped === undefined)
      this.#again = this.#deps.clock.timer("node lease again", AGAIN_MS, () => this.#tick());
  }

  async #renew(): Promise<void> {
    if (!this.alive) return this.#retake();
    const asked = this.#deps.clock.monotonic();
    try {
      await this.#deps.store.writeService((tx) => tx.run(renewLease, this.#row()));
      this.#extend(asked);
    } catch (error) {
      if (!(await leaseStands(this.#deps.store, this.#id, this.#lease))) return this.#retake();
      // The lease is valid for some time: the next tick retries.
      throw error;
    }
  }

  /** The old lease and everything that depends on it is void: the process becomes a new node. */
  async #retake(): Promise<void> {
    this.#safeUntil = Number.NEGATIVE_INFINITY;
    if (this.#isHeld) {
      this.#isHeld = false;
      this.#deps.log.warn(
        { node: this.#id },
        "the node's lease has expired; its tunnels are closed, and it takes a new lease",
      );
      this.#deps.onLost();
      this.#former.add(this.#id);
    }
    this.#id = newNodeId(this.#deps.random);
    await this.#take();
  }

  async #take(): Promise<void> {
    const { store, clock } = this.#deps;
    const asked = clock.monotonic();
    // Only this write needs no lease: until it succeeds, no other write does.
    store.fenceBy({ nodeId: this.#id, lease: this.#lease });
    await store.writeUnfenced((sql) => sql.run(insertNode, { ...this.#row(), at: this.#startedAt }));
    this.#isHeld = true;
    this.#extend(asked);
    this.#deps.onTaken?.(this.#id);
  }

  /** @param asked monotonic time at which the renewal was sent, ms */
  #extend(asked: number): void {
    if (!this.alive) this.#aliveSince = this.#deps.clock.now();
    this.#safeUntil = asked + this.#deps.nodeLeaseMs * SAFE_PART;
  }

  async #look(): Promise<void> {
    if (this.#looking !== undefined || !this.alive) return;
    this.#looking = this.#lookAtOthers()
      .catch((error: unknown) => this.#deps.log.warn({ error }, "the leases of other nodes could not be checked"))
      .finally(() => {
        this.#looking = undefined;
      });
    await this.#looking;
  }

  async #lookAtOthers(): Promise<void> {
    const { store, clock, log, nodeLeaseMs, onOthersDead } = this.#deps;
    const rows = await nodeSigns(store);
    const now = clock.monotonic();
    const { seen, dead, hasNew } = lookAtLeases(this.#others, rows, this.#id, now, nodeLeaseMs);
    this.#others = seen;
    this.#lookedAt = now;
    this.#firstLookAt ??= now;
    // A node that has just started trusts no row that it found: it waits until it sees this one renewed.
    if (hasNew) this.#tick();
    this.#living = rows.filter((row) => !dead.includes(row));
    let ended = 0;
    for (const { id: node, lease_until: until } of dead) {
      log.warn({ node }, "another node has not renewed its lease and is considered dead");
      ended += await store.writeService((tx) => tx.run(endDead, { node, until }));
    }
    if (ended > 0) onOthersDead?.();
  }

  /** Changes with every renewal, even on a clock that stands still. */
  #row(): Lease {
    this.#until = Math.max(this.#until + 1, this.#deps.clock.now() + this.#deps.nodeLeaseMs);
    return { node: this.#id, lease: this.#lease, until: this.#until };
  }

  /** Stops without a write, as a killed process does: the lease expires. */
  kill(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#again?.cancel();
    this.#safeUntil = Number.NEGATIVE_INFINITY;
    this.#stopped ??= Promise.resolve();
  }

  /** Deletes the lease. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    for (const timer of this.#timers) timer.cancel();
    await Promise.all([this.#renewal, this.#looking]);
    this.#again?.cancel();
    await this.#deps.store
      .writeService((tx) => tx.run(endOwn, { node: this.#id, lease: this.#lease }))
      .catch((error: unknown) =>
        this.#deps.log.warn({ error }, "the node's lease could not be released; it will expire"),
      );
  }
}

function newNodeId(random: Random): string {
  return `node_${Buffer.from(random.bytes(12)).toString("hex")}`;
}
