/**
 * Connection time on the hub's own clock (T5): pure, because it decides whether a late command still moves a lamp.
 *
 * A frame sent at connection time `at` cannot arrive before it was sent, so `arrival - at` is never less than the true offset between the
 * two clocks, and the smallest such difference comes closest to it. If the hub was blocked while its first frames came, all of them were
 * delayed; but the cloud cannot have answered before it was asked, so `asked - at` is never more than the true offset. The two together
 * bound it for any delay.
 */

/** Allowance beyond the proven earliest start of a connection, ms: the delay of a slow network, within the margin that the cloud keeps. */
const CREDIT_MS = 250;

export interface ConnectionTime {
  /** Upper bound of the hub's monotonic time at which connection time was 0, ms. */
  readonly zero: number;
  /** Lower bound of the same time. */
  readonly earliest: number;
}

/** The bounds before the first frame. */
export const NOTHING_HEARD: ConnectionTime = { zero: Number.POSITIVE_INFINITY, earliest: Number.NEGATIVE_INFINITY };

/**
 * Tightens the bounds by a received frame.
 * @param at the connection time at which the cloud sent it, as stated in the frame, ms
 * @param arrived the hub's monotonic time of its arrival, ms
 * @param asked the hub's monotonic time at which it sent the question that this frame answers, ms
 */
export function heard(time: ConnectionTime, at: number, arrived: number, asked?: number): ConnectionTime {
  const zero = Math.min(time.zero, arrived - at);
  const earliest = asked === undefined ? time.earliest : Math.max(time.earliest, asked - at);
  return zero === time.zero && earliest === time.earliest ? time : { zero, earliest };
}

/** Converts a connection time to the hub's monotonic clock, ms: rather too early than too late. */
export function toMonotonic({ zero, earliest }: ConnectionTime, connectionMs: number): number {
  return (earliest === Number.NEGATIVE_INFINITY ? zero : Math.min(zero, earliest + CREDIT_MS)) + connectionMs;
}
