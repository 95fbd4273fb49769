/**
 * Which nodes have died, as one that lives sees it: pure. A lease is over when it has stood unrenewed for its whole length of the
 * observer's own monotonic time, so that no two nodes' wall clocks are ever compared.
 */

/** What is looked at of a node's row. */
export interface NodeSign {
  readonly id: string;
  /** Another number after every renewal. */
  readonly lease_until: number;
  /** Wall clock, ms. */
  readonly started_at: number;
}

/** What was seen of each node when its row was another than before. */
export type Seen = ReadonlyMap<string, SeenNode>;

interface SeenNode {
  readonly until: number;
  /** Monotonic time at which the row was first seen as it is, ms. */
  readonly since: number;
  /** Whether it has renewed or begun while the observer looked: a row from before the observer's first look proves nothing. */
  readonly proven: boolean;
}

export interface Look {
  readonly seen: Seen;
  /** Those that did not renew in time, as they stood. */
  readonly dead: readonly NodeSign[];
  /** Whether a node has begun since the look before. */
  readonly hasNew: boolean;
}

/** @param before undefined at the first look @param now monotonic, ms */
export function lookAtLeases(
  before: Seen | undefined,
  rows: readonly NodeSign[],
  self: string,
  now: number,
  leaseMs: number,
): Look {
  const seen = new Map<string, SeenNode>();
  const dead: NodeSign[] = [];
  let hasNew = false;
  for (const row of rows) {
    if (row.id === self) continue;
    const known = before?.get(row.id);
    const changed = { until: row.lease_until, since: now, proven: before !== undefined };
    const sign = known?.until === row.lease_until ? known : changed;
    hasNew ||= before !== undefined && known === undefined;
    seen.set(row.id, sign);
    if (now - sign.since >= leaseMs) dead.push(row);
  }
  return { seen, dead, hasNew };
}

/** Whether each node that was found is known to live: one whose row was there at the first look has renewed it since. */
export function areAllProven(seen: Seen): boolean {
  return seen.values().every(({ proven }) => proven);
}

/**
 * Whether a node that has a row is known to live: it began after the last look, or has renewed within its lease.
 * @param lookedAt monotonic time of the last look, ms
 */
export function isProven(seen: Seen | undefined, id: string, lookedAt: number, now: number, leaseMs: number): boolean {
  if (seen === undefined) return false;
  const { since, proven } = seen.get(id) ?? { since: lookedAt, proven: true };
  return proven && now - since < leaseMs;
}
