/** This process's lease among the nodes: every write stands on it, and whoever could not renew it in time is nobody. */
import { type Clock, every, type Log, type Random, type Timer } from "@porchlight/shared/kernel";
import { type Store, statement } from "../store/index.ts";
import { leaseStands } from "./service-queries.ts";

export interface NodeLeaseDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly nodeLeaseMs: number;
  readonly nodeRenewMs: number;
  /** The lease has run out unrenewed: what stood on it is void. A new one follows. */
  readonly onLost: () => void;
}

type Lease = { node: string; lease: number; until: number };

const insertNode = statement<Lease & { at: number }>("insert_node")((db, p) =>
  db.insertInto("nodes").values({ id: p.node, lease: p.lease, lease_until: p.until, started_at: p.at }),
);
const renewLease = statement<Lease>("renew_lease")((db, p) =>
  db.updateTable("nodes").set({ lease_until: p.until }).where("id", "=", p.node).where("lease", "=", p.lease),
);
/** A node whose lease is over loses its number: whatever it still writes when it wakes finds another. */
const expireOthers = statement<{ node: string; now: number }>("expire_nodes")((db, p) =>
  db
    .updateTable("nodes")
    .set((of) => ({ lease: of("lease", "+", 1) }))
    .where("id", "<>", p.node)
    .where("lease_until", "<", p.now),
);
const forgetNodes = statement<{ before: number }>("forget_nodes")((db, p) =>
  db.deleteFrom("nodes").where("lease_until", "<", p.before),
);

const DAY_MS = 24 * 3_600_000;
/** Part of the lease after which this node does not count on it any more: the database's view may be a little ahead. */
const SAFE_PART = 0.9;

export class NodeLease implements AsyncDisposable {
  readonly #deps: NodeLeaseDeps;
  #id: string;
  readonly #lease = 1;
  #safeUntil = Number.NEGATIVE_INFINITY;
  #renewal: Promise<void> | undefined;
  #timer: Timer | undefined;
  #stopped: Promise<void> | undefined;

  private constructor(deps: NodeLeaseDeps) {
    this.#deps = deps;
    this.#id = newNodeId(deps.random);
  }

  /** Takes a lease. @throws "Service Unavailable" when the store does not take writes */
  static async start(deps: NodeLeaseDeps): Promise<NodeLease> {
    const lease = new NodeLease(deps);
    await lease.#take();
    lease.#timer = every(deps.clock, "node lease", deps.nodeRenewMs, () => lease.#tick());
    return lease;
  }

  get nodeId(): string {
    return this.#id;
  }

  /** Whether this node may answer for its tunnels: by its own monotonic clock, counted from before the last renewal was asked. */
  get alive(): boolean {
    return this.#deps.clock.monotonic() < this.#safeUntil;
  }

  #tick(): void {
    if (this.#renewal !== undefined) return;
    this.#renewal = this.#renew()
      .catch((error: unknown) => this.#deps.log.warn({ error }, "the node's lease could not be renewed"))
      .finally(() => {
        this.#renewal = undefined;
      });
  }

  async #renew(): Promise<void> {
    if (!this.alive) return this.#retake();
    const asked = this.#deps.clock.monotonic();
    try {
      await this.#deps.store.writeService(async (tx) => {
        await tx.run(renewLease, this.#row());
        await tx.run(expireOthers, { node: this.#id, now: this.#deps.clock.now() });
      });
      this.#safeUntil = asked + this.#deps.nodeLeaseMs * SAFE_PART;
    } catch (error) {
      if (!(await leaseStands(this.#deps.store, this.#id, this.#lease))) return this.#retake();
      // Still ours for a while: the next tick tries again.
      throw error;
    }
  }

  /** The old lease is void, and all that stood on it: a new node begins. */
  async #retake(): Promise<void> {
    this.#safeUntil = Number.NEGATIVE_INFINITY;
    this.#deps.log.warn({ node: this.#id }, "the node's lease ran out; its tunnels are closed and it takes a new one");
    this.#deps.onLost();
    this.#id = newNodeId(this.#deps.random);
    await this.#take();
  }

  async #take(): Promise<void> {
    const { store, clock } = this.#deps;
    const asked = clock.monotonic();
    // Only this one write stands on nothing: while it has not succeeded, no other write does.
    store.fenceBy(undefined);
    try {
      await store.writeService(async (tx) => {
        await tx.run(forgetNodes, { before: clock.now() - DAY_MS });
        await tx.run(insertNode, { ...this.#row(), at: clock.now() });
      });
    } finally {
      store.fenceBy({ nodeId: this.#id, lease: this.#lease });
    }
    this.#safeUntil = asked + this.#deps.nodeLeaseMs * SAFE_PART;
  }

  #row(): Lease {
    return { node: this.#id, lease: this.#lease, until: this.#deps.clock.now() + this.#deps.nodeLeaseMs };
  }

  /** Stops without a word, as a process that is killed: the lease runs out. */
  kill(): void {
    this.#timer?.cancel();
    this.#safeUntil = Number.NEGATIVE_INFINITY;
    this.#stopped ??= Promise.resolve();
  }

  /** Gives the lease back. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#timer?.cancel();
    await this.#renewal;
    const now = this.#deps.clock.now();
    await this.#deps.store
      .writeService((tx) => tx.run(renewLease, { node: this.#id, lease: this.#lease, until: now }))
      .catch((error: unknown) =>
        this.#deps.log.warn({ error }, "the node's lease could not be given back; it runs out"),
      );
  }
}

function newNodeId(random: Random): string {
  return `node_${Buffer.from(random.bytes(12)).toString("hex")}`;
}
