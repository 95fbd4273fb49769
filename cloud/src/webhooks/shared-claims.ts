/**
 * The claims of one node among several: once a second it reads the shares, takes its part of the free ones, and
 * releases those that belong to another node's part, once none of their deliveries is in flight.
 *
 * Invariants: a share has one living holder, because it is taken only when free or of a node whose row is deleted; a
 * node that is not sure to be alive starts nothing; and shares held under an earlier name of the node are void under
 * the next.
 */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { Sql, Store, Transaction } from "../store/index.ts";
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
  /** Whether this node's lease is valid, by its own clock. */
  readonly isAlive: () => boolean;
}

const LOOK_EVERY = 1_000;

export class SharedClaims implements Claims {
  readonly #deps: SharedClaimsDeps;
  readonly #looking = new Rounds(() => this.#look());
  readonly #mine = new Set<number>();
  /** Shares being released: still this node's in the store. */
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

  /** Number of shares held. */
  get size(): number {
    return this.#mine.size;
  }

  /** Defined while it reads the shares; resolves when it has. */
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

  /** Whether its shares were taken under the current lease. */
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
        // Another node has deleted this one's row: it joins again if its lease is valid.
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

  /** Adopts the stored shares. @param giving shares that it was releasing when the query was sent */
  #agree({ owners }: ShareStanding, giving: ReadonlySet<number>, me: string): void {
    const lost = new Set([...this.#mine].filter((share) => owners.get(share) !== me));
    for (const share of lost) this.#mine.delete(share);
    if (lost.size > 0) this.#claimant?.lost((webhook) => lost.has(shareOf(webhook)));
    // A commit took them, and its success was not received.
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
    // If it still holds the share in the store, the next look finds it.
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

/** Number of shares of all webhooks of the service. It is stored with them: it never changes. */
export const SHARES = 256;

/** The same on every node and in every release: FNV-1a over the characters of the ID. */
export function shareOf(webhookId: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < webhookId.length; at += 1) hash = Math.imul(hash ^ webhookId.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % SHARES;
}

interface ShareStanding {
  /** Living senders. */
  readonly nodes: readonly string[];
  /** The holder of each share; absent when free, or of a dead node. */
  readonly owners: ReadonlyMap<number, string>;
}

interface Moves {
  /** Free shares that this node must take. */
  readonly take: readonly number[];
  /** Shares that it must release once none of their deliveries is in flight. */
  readonly give: readonly number[];
}

/**
 * Decides which shares a node takes and releases. Pure: nodes that see the same nodes get the same result, in which
 * their shares differ by at most one, and no more shares move than necessary.
 * @param me one of the nodes
 */
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

/** The sender of claimed webhooks, notified of changes to the claims. */
export interface Claimant {
  /** More webhooks may be sent: the claimant must look for all that are held now. */
  gained(): void;
  /** Starts no more deliveries of them. Resolves when attempts in flight have ended and are stored. */
  quiet(isOf: (webhookId: string) => boolean): Promise<void>;
  /** Another node holds them, or will: attempts in flight are aborted, and nothing of them is stored. */
  lost(isOf: (webhookId: string) => boolean): void;
  /** A node has changed the webhook. */
  wake(ecosystemId: string, webhookId: string): void;
}

export interface Claims extends AsyncDisposable {
  /** Starts to claim for that claimant. */
  begin(claimant: Claimant): void;
  /** Whether this node may start a delivery of the webhook now. */
  holds(webhookId: string): boolean;
  /** The name under which the current claims are held. */
  readonly holder: string;
  /** Whether the webhook is still held under that name, by the database. @throws "Service Unavailable" */
  stands(sql: Sql, webhookId: string, holder: string): Promise<boolean>;
  /** Called in the transaction that changes a webhook: notifies its holder. */
  call(tx: Transaction, ecosystemId: string, webhookId: string): Promise<void>;
  /** Releases all shares; no delivery is in flight any more. */
  leave(): Promise<void>;
}

/** The claims of a single node: all webhooks. */
export const ALL_CLAIMED: Claims = {
  begin: () => undefined,
  holds: () => true,
  holder: "",
  stands: async () => true,
  call: async () => undefined,
  leave: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
};
