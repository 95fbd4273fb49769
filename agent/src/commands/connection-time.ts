/**
 * Connection time on the hub's own clock (T5): pure, because whether a late command moves a lamp hangs on it.
 *
 * A frame sent at connection time `at` cannot arrive before it was sent, so `arrival - at` is never less than the true
 * offset between the two clocks, and the smallest such difference comes closest to it. A hub that stood still while its
 * first frames came has only frames that were held up; but the cloud cannot have answered before it was asked, so
 * `asked - at` is never more than the true offset. The two together bound it for any delay.
 */

/** How much later than was surely so a connection is taken to have begun, ms: the delay of a slow network, within the margin that the cloud keeps. */
const CREDIT_MS = 250;

export interface ConnectionTime {
  /** The hub's monotonic time at which connection time was 0, ms; at most so late. */
  readonly zero: number;
  /** At least so late. */
  readonly earliest: number;
}

/** What is known before the first frame. */
export const NOTHING_HEARD: ConnectionTime = { zero: Number.POSITIVE_INFINITY, earliest: Number.NEGATIVE_INFINITY };

/**
 * Takes in a frame.
 * @param at the connection time at which the cloud says that it sent it, ms
 * @param arrived the hub's monotonic time at which it came, ms
 * @param asked the hub's monotonic time at which it sent what this frame answers, ms
 */
export function heard(time: ConnectionTime, at: number, arrived: number, asked?: number): ConnectionTime {
  const zero = Math.min(time.zero, arrived - at);
  const earliest = asked === undefined ? time.earliest : Math.max(time.earliest, asked - at);
  return zero === time.zero && earliest === time.earliest ? time : { zero, earliest };
}

/** A connection time on the hub's monotonic clock, ms: rather too early than too late. */
export function toMonotonic({ zero, earliest }: ConnectionTime, connectionMs: number): number {
  return (earliest === Number.NEGATIVE_INFINITY ? zero : Math.min(zero, earliest + CREDIT_MS)) + connectionMs;
}
