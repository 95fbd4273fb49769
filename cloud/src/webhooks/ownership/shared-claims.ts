/**
 * The claims of one node among several: once a second it looks how the shares stand, takes what is its part of those that are free,
 * and gives back what is another's part, once nothing of it is under way.
 *
 * Invariants: a share is held by one living node, since it is taken only when free or of a node whose row has gone; a node that
 * does not know whether it lives begins nothing; and what it held under one name is not its any more under the next.
 */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { Sql, Store, Transaction } from "../../store/index.ts";
import {
  dropCalls,
  giveShareBack,
  joinSenders,
  leaveNodes,
  shareStands,
  storeCall,
  takeShares,
} from "./claim-store.ts";
import { findStanding, type ShareRow } from "./service-queries.ts";

export interface SharedClaimsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether this node's lease stands, as far as it knows by its own clock. */
  readonly isAlive: () => boolean;
}

const LOOK_EVERY = 1_000;

export class SharedClaims implements Claims {
  readonly #deps: SharedClaimsDeps;
  readonly #looking = new Rounds(() => this.#look());
  readonly #mine = new Set<number>();
  /** Still its own by the store, and to be another's. */
  readonly #giving = new Set<number>();
  #holder = "";
  #claimant: Claimant | undefined;
  #timer: Timer | undefined;

  constructor(deps: SharedClaimsDeps) {
    this.#deps = deps;
  }

  begin(claimant: Claimant): void {
    this.#claimant = claimant;
    this.#timer = every(this.#deps.clock, "shares of webhooks", LOOK_EVERY, () => this.#tick());
    this.#tick();
  }

  get holder(): string {
    return this.#holder;
  }

  /** How many shares are held. */
  get size(): number {
    return this.#mine.size;
  }

  /** There while it looks how the shares stand, and settles when it has looked. */
  get looking(): Promise<void> | undefined {
    return this.#looking.running;
  }

  holds(webhookId: string): boolean {
    return this.#mine.has(shareOf(webhookId)) && this.#isStanding();
  }

  stands(sql: Sql, webhookId: string, holder: string): Promise<boolean> {
    return shareStands(sql, holder, shareOf(webhookId));
  }

  call(tx: Transaction, ecosystemId: string, webhookId: string): Promise<void> {
    return storeCall(tx, shareOf(webhookId), ecosystemId, webhookId);
  }

  async leave(): Promise<void> {
    this.#timer?.cancel();
    await this.#looking.end();
    const { store, log } = this.#deps;
    const holder = this.#holder;
    this.#mine.clear();
    if (holder === "" || holder !== store.nodeId) return;
    await store
      .writeService((tx) => leaveNodes(tx, holder))
      .catch((error: unknown) =>
        log.warn({ error }, "webhooks could not be handed over to other nodes; they will take them over"),
      );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.cancel();
    await this.#looking.end();
  }

  /** Whether what it holds was taken under the lease that stands now. */
  #isStanding(): boolean {
    return this.#deps.isAlive() && this.#holder === this.#deps.store.nodeId;
  }

  #tick(): void {
    if (this.#holder !== "" && !this.#isStanding()) this.#loseAll();
    void this.#looking.ask();
  }

  #loseAll(): void {
    this.#holder = "";
    this.#mine.clear();
    this.#giving.clear();
    this.#claimant?.lost(() => true);
  }

  async #look(): Promise<void> {
    const { store, log, isAlive } = this.#deps;
    try {
      const me = store.nodeId;
      if (me === "" || !isAlive()) return;
      if (this.#holder !== me) await this.#join(me);
      const giving = new Set(this.#giving);
      const rows = await findStanding(store, me);
      if (this.#holder !== me || store.nodeId !== me) return;
      const standing = standingOf(rows);
      if (!standing.nodes.includes(me)) {
        // Somebody has forgotten this node: it joins again, if it lives at all.
        this.#loseAll();
        return;
      }
      this.#agree(standing, giving, me);
      await this.#move(standing, me);
      await this.#answerCalls(rows);
    } catch (error) {
      log.warn({ error }, "the shares of webhooks could not be read; will retry");
    }
  }

  async #join(me: string): Promise<void> {
    if (this.#holder !== "") this.#loseAll();
    await this.#deps.store.writeService((tx) => joinSenders(tx, me));
    this.#holder = me;
  }

  /** What it holds is what the store says. @param giving those that it was giving back when the store was asked */
  #agree({ owners }: ShareStanding, giving: ReadonlySet<number>, me: string): void {
    const lost = new Set([...this.#mine].filter((share) => owners.get(share) !== me));
    for (const share of lost) this.#mine.delete(share);
    if (lost.size > 0) this.#claimant?.lost((webhook) => lost.has(shareOf(webhook)));
    // Taken by a commit whose success was not told.
    const found = [...owners].filter(
      ([share, node]) => node === me && !this.#mine.has(share) && !giving.has(share) && !this.#giving.has(share),
    );
    this.#gain(found.map(([share]) => share));
  }

  async #move(standing: ShareStanding, me: string): Promise<void> {
    const { take, give } = movesOf(standing, me);
    for (const share of give) if (this.#mine.delete(share)) void this.#give(share, me);
    if (take.length === 0) return;
    const taken = await this.#deps.store.writeService((tx) => takeShares(tx, me, take));
    if (this.#holder === me) this.#gain(taken);
  }

  #gain(shares: readonly number[]): void {
    for (const share of shares) this.#mine.add(share);
    if (shares.length > 0) this.#claimant?.gained();
  }

  async #give(share: number, me: string): Promise<void> {
    const { store, log } = this.#deps;
    this.#giving.add(share);
    try {
      await this.#claimant?.quiet((webhook) => shareOf(webhook) === share);
      if (this.#holder === me) await store.writeService((tx) => giveShareBack(tx, me, share));
    } catch (error) {
      log.warn({ error, share }, "webhooks could not be handed over to another node; will retry");
    }
    // If it is still its own by the store, the next look finds it.
    if (this.#holder === me) this.#giving.delete(share);
  }

  async #answerCalls(rows: readonly ShareRow[]): Promise<void> {
    const calls = rows.flatMap(({ share, call_id: id, ecosystem_id: eco, webhook_id: webhook }) =>
      share === null || id === null || eco === null || webhook === null ? [] : [{ share, id, eco, webhook }],
    );
    if (calls.length === 0) return;
    for (const { eco, webhook } of calls) this.#claimant?.wake(eco, webhook);
    await this.#deps.store.writeService((tx) => dropCalls(tx, calls));
  }
}

function standingOf(rows: readonly ShareRow[]): ShareStanding {
  const owned = rows.flatMap(({ node_id, share }): [number, string][] => (share === null ? [] : [[share, node_id]]));
  return { nodes: [...new Set(rows.map(({ node_id }) => node_id))], owners: new Map(owned) };
}

// Which node sends which webhooks: a pure decision. All webhooks fall into a fixed number of shares, and every node that sees the
// same nodes comes to the same end: each has as many shares as any other, or one less, and no more move than must.

/** Of all webhooks of the service. The number is stored with them: it never changes. */
export const SHARES = 256;

/** The same on every node, of every release: FNV-1a over the characters of the ID. */
export function shareOf(webhookId: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < webhookId.length; at += 1) hash = Math.imul(hash ^ webhookId.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % SHARES;
}

interface ShareStanding {
  /** Living nodes that send. */
  readonly nodes: readonly string[];
  /** The node that has each share; absent when free, or of a dead node. */
  readonly owners: ReadonlyMap<number, string>;
}

interface Moves {
  /** Shares that this node is to take, of those that are free. */
  readonly take: readonly number[];
  /** Shares that it is to give back once nothing of them is under way. */
  readonly give: readonly number[];
}

/** @param me one of the nodes */
export function movesOf({ nodes, owners }: ShareStanding, me: string): Moves {
  const held = Map.groupBy(owners.keys(), (share) => owners.get(share) ?? "");
  const free = Array.from({ length: SHARES }, (_, share) => share).filter((share) => !owners.has(share));
  let next = 0;
  for (const [rank, node] of [...nodes].sort().entries()) {
    const part = Math.floor(SHARES / nodes.length) + (rank < SHARES % nodes.length ? 1 : 0);
    const own = held.get(node) ?? [];
    const missing = Math.max(0, part - own.length);
    if (node === me) return { take: free.slice(next, next + missing), give: own.toSorted(ascending).slice(part) };
    next += missing;
  }
  return { take: [], give: [] };
}

function ascending(one: number, other: number): number {
  return one - other;
}

// Which webhooks are this node's to send, as the dispatcher asks for it; and the lone node's answer, which is all of them.

/** Who sends what is claimed, and is told of it. */
export interface Claimant {
  /** More may be sent: all that is held now must be looked for. */
  gained(): void;
  /** Nothing more of them may begin. Settles when attempts under way have ended and are stored. */
  quiet(isOf: (webhookId: string) => boolean): Promise<void>;
  /** They are another node's, or will be: what is under way is broken off, and nothing of it is stored. */
  lost(isOf: (webhookId: string) => boolean): void;
  /** Another node, or this one, has changed the webhook. */
  wake(ecosystemId: string, webhookId: string): void;
}

export interface Claims extends AsyncDisposable {
  /** Begins to claim for that one. */
  begin(claimant: Claimant): void;
  /** Whether a delivery of the webhook may begin here, now. */
  holds(webhookId: string): boolean;
  /** The name under which what is held now is held. */
  readonly holder: string;
  /** Whether the webhook is still held under that name, by the database. @throws "Service Unavailable" */
  stands(sql: Sql, webhookId: string, holder: string): Promise<boolean>;
  /** In the transaction that changes a webhook: its holder must look. */
  call(tx: Transaction, ecosystemId: string, webhookId: string): Promise<void>;
  /** Gives all back; nothing is under way any more. */
  leave(): Promise<void>;
}

/** Of the only node that there is. */
export const ALL_CLAIMED: Claims = {
  begin: () => undefined,
  holds: () => true,
  holder: "",
  stands: async () => true,
  call: async () => undefined,
  leave: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
};
