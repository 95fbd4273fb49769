/** This process's lease among the nodes: every write needs it, and a process that did not renew it in time writes nothing. */
import { type Clock, every, type Log, type Random, type Timer } from "@porchlight/shared/kernel";
import { isOutage, type Store, statement } from "../../store/index.ts";
import {
  areAllProven,
  isProven,
  leaseStands,
  lookAtLeases,
  type NodeSign,
  nodeSigns,
  type Seen,
} from "./service-queries.ts";

/** What a lease needs of the store. */
export type LeaseStore = Pick<Store, "service" | "fenceBy" | "writeUnfenced" | "writeService">;

export interface NodeLeaseDeps {
  readonly store: LeaseStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly nodeLeaseMs: number;
  readonly nodeRenewMs: number;
  /** How often the leases of the others are looked at, ms. */
  readonly nodeLookMs: number;
  /** The lease has run out unrenewed: what stood on it is void. A new one follows. */
  readonly onLost: () => void;
  /** From now on this process is the node of that ID. */
  readonly onTaken?: ((nodeId: string) => void) | undefined;
  /** Other nodes have died: what stood on their leases is void. */
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

/** A renewal that failed is tried again after, ms: what kept it from the database may have taken most of the lease. */
const AGAIN_MS = 500;
/** Looks at the other nodes within which one that lives has renewed before this one: it sees this node at its next look, and is seen to have at ours. */
const LOOKS_UNTIL_SEEN = 3;
/** Part of the lease after which this node does not count on it any more: the database's view may be a little ahead. */
const SAFE_PART = 0.9;

export class NodeLease implements AsyncDisposable {
  readonly #deps: NodeLeaseDeps;
  #id: string;
  readonly #lease = 1;
  #safeUntil = Number.NEGATIVE_INFINITY;
  #renewal: Promise<void> | undefined;
  #timers: Timer[] = [];
  #again: Timer | undefined;
  /** Of the process, whichever node it is: a lease that is taken anew makes it no younger. */
  readonly #startedAt: number;
  #until = 0;
  #aliveSince = 0;
  /** Since it was taken, until it is found to be lost. */
  #isHeld = false;
  #others: Seen | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #firstLookAt: number | undefined;
  /** The nodes that this process was before it lost their leases. */
  readonly #former = new Set<string>();
  #living: readonly NodeSign[] = [];
  #looking: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  private constructor(deps: NodeLeaseDeps) {
    this.#deps = deps;
    this.#id = newNodeId(deps.random);
    this.#startedAt = deps.clock.now();
  }

  /** Takes a lease, or, where the database takes no writes, begins to try: what can be read can be answered meanwhile. */
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

  /** All nodes that live, as far as was seen last; this one too. */
  get living(): readonly NodeSign[] {
    return this.#living;
  }

  /** Whether it is the one of the living that does what one node is to do for all; while they do not agree on that, two do it. */
  get isFirst(): boolean {
    return this.#living.every(({ id }) => this.#id <= id);
  }

  get nodeId(): string {
    return this.#id;
  }

  /** Whether this node may answer for its tunnels: by its own monotonic clock, counted from before the last renewal was asked. */
  get alive(): boolean {
    return this.#deps.clock.monotonic() < this.#safeUntil;
  }

  /** Wall-clock time since which this node has been alive without a break, ms. */
  get aliveSince(): number {
    return this.#aliveSince;
  }

  /** Whether another node that has a row lives, as this process has seen for itself. */
  provesAlive(nodeId: string): boolean {
    if (this.#former.has(nodeId)) return false;
    const { clock, nodeLeaseMs } = this.#deps;
    return isProven(this.#others, nodeId, this.#lookedAt, clock.monotonic(), nodeLeaseMs);
  }

  /** Whether this process has had the time to see which of the nodes that it found live, ever since. */
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
      // Still ours for a while: the next tick tries again.
      throw error;
    }
  }

  /** The old lease is void, and all that stood on it: a new node begins. */
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
    // Only this one write stands on nothing: while it has not succeeded, no other write does.
    store.fenceBy({ nodeId: this.#id, lease: this.#lease });
    await store.writeUnfenced((sql) => sql.run(insertNode, { ...this.#row(), at: this.#startedAt }));
    this.#isHeld = true;
    this.#extend(asked);
    this.#deps.onTaken?.(this.#id);
  }

  /** @param asked monotonic time at which the renewal was asked, ms */
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
    // A node that has just begun believes nothing of rows that it found: it waits to see this one renewed.
    if (hasNew) this.#tick();
    this.#living = rows.filter((row) => !dead.includes(row));
    let ended = 0;
    for (const { id: node, lease_until: until } of dead) {
      log.warn({ node }, "another node has not renewed its lease and is considered dead");
      ended += await store.writeService((tx) => tx.run(endDead, { node, until }));
    }
    if (ended > 0) onOthersDead?.();
  }

  /** Another number at every renewal, also on a clock that stands still. */
  #row(): Lease {
    this.#until = Math.max(this.#until + 1, this.#deps.clock.now() + this.#deps.nodeLeaseMs);
    return { node: this.#id, lease: this.#lease, until: this.#until };
  }

  /** Stops without a word, as a process that is killed: the lease runs out. */
  kill(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#again?.cancel();
    this.#safeUntil = Number.NEGATIVE_INFINITY;
    this.#stopped ??= Promise.resolve();
  }

  /** Gives the lease back. */
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
