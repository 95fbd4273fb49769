/**
 * Connection time on the hub's own clock (tunnel.md 5): pure, because whether a late command moves a lamp hangs on it.
 *
 * A frame sent at connection time `at` cannot arrive before it was sent, so `arrival - at` is never less than the true
 * offset between the two clocks. The smallest such difference comes closest to it, and one frame that was held up (by the
 * network, or because the agent stood still) moves nothing.
 */

export interface ConnectionTime {
  /** The hub's monotonic time at which connection time was 0, ms; at most so late. */
  readonly zero: number;
}

/** What is known before the first frame. */
export const NOTHING_HEARD: ConnectionTime = { zero: Number.POSITIVE_INFINITY };

/**
 * Takes in a frame.
 * @param at the connection time at which the cloud says that it sent it, ms
 * @param arrived the hub's monotonic time at which it came, ms
 */
export function heard(time: ConnectionTime, at: number, arrived: number): ConnectionTime {
  const zero = arrived - at;
  return zero < time.zero ? { zero } : time;
}

/** A connection time on the hub's monotonic clock, ms. */
export function toMonotonic(time: ConnectionTime, connectionMs: number): number {
  return time.zero + connectionMs;
}
