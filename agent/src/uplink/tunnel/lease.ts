/**
 * The hub's own view of its lease: pure, because it decides whether a command may still touch hardware.
 *
 * The cloud's lease runs from when it heard the hub, which is after the hub sent. Counted from the send time of what was
 * answered, the hub's view ends before the cloud's, for any delay of the network.
 */

export interface Lease {
  /** On the hub's monotonic clock, ms. */
  readonly endsAt: number;
}

export const NO_LEASE: Lease = { endsAt: Number.NEGATIVE_INFINITY };

/** @param sentAt when the heartbeat or hello that has now been answered was sent, on the hub's monotonic clock, ms */
export function renewed(lease: Lease, sentAt: number, leaseMs: number): Lease {
  return sentAt + leaseMs > lease.endsAt ? { endsAt: sentAt + leaseMs } : lease;
}

export function isLive(lease: Lease, now: number): boolean {
  return now < lease.endsAt;
}
