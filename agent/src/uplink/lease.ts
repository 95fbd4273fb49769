/**
 * The hub's own view of its lease: pure, because it decides whether a command may still touch hardware.
 *
 * The cloud's lease starts when it receives a heartbeat, which is after the hub sent it. Counted from the send time of the answered
 * heartbeat, the hub's view ends before the cloud's, for any delay of the network.
 */

export interface Lease {
  /** On the hub's monotonic clock, ms. */
  readonly endsAt: number;
}

export const NO_LEASE: Lease = { endsAt: Number.NEGATIVE_INFINITY };

/** @param sentAt when the answered heartbeat or hello was sent, on the hub's monotonic clock, ms */
export function renewed(lease: Lease, sentAt: number, leaseMs: number): Lease {
  return sentAt + leaseMs > lease.endsAt ? { endsAt: sentAt + leaseMs } : lease;
}

export function isLive(lease: Lease, now: number): boolean {
  return now < lease.endsAt;
}
