/**
 * Which node sends which webhooks: a pure decision. All webhooks fall into a fixed number of shares, and every node that sees the
 * same nodes comes to the same end: each has as many shares as any other, or one less, and no more move than must.
 */

/** Of all webhooks of the service. The number is stored with them: it never changes. */
export const SHARES = 256;

/** The same on every node, of every release: FNV-1a over the characters of the ID. */
export function shareOf(webhookId: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < webhookId.length; at += 1) hash = Math.imul(hash ^ webhookId.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % SHARES;
}

export interface ShareStanding {
  /** Living nodes that send. */
  readonly nodes: readonly string[];
  /** The node that has each share; absent when free, or of a dead node. */
  readonly owners: ReadonlyMap<number, string>;
}

export interface Moves {
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
