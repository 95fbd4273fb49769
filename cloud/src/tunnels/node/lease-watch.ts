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
export type Seen = ReadonlyMap<string, { readonly until: number; readonly since: number }>;

export interface Look {
  readonly seen: Seen;
  /** Those that did not renew in time, as they stood. */
  readonly dead: readonly NodeSign[];
}

/** @param now monotonic, ms */
export function lookAtLeases(
  before: Seen,
  rows: readonly NodeSign[],
  self: string,
  now: number,
  leaseMs: number,
): Look {
  const seen = new Map<string, { until: number; since: number }>();
  const dead: NodeSign[] = [];
  for (const row of rows) {
    if (row.id === self) continue;
    const known = before.get(row.id);
    const sign = known?.until === row.lease_until ? known : { until: row.lease_until, since: now };
    seen.set(row.id, sign);
    if (now - sign.since >= leaseMs) dead.push(row);
  }
  return { seen, dead };
}
