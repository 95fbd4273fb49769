/**
 * When the next value of a property may be sent, while somebody drags: one at a time, so many milliseconds apart, and always the last one.
 * What waits for a hub is kept by the service one by one, so there it is sent when the dragging has come to rest.
 */

/** From one sending to the next, ms: a device follows a hand without being flooded. */
const APART = 120;
/** Without a newer value for so long, a hand has come to rest, ms. */
const AT_REST = 500;

export interface Pace {
  /** Whether one is on its way. */
  readonly isOut: boolean;
  /** When the last one went, ms. */
  readonly sentAt: number | undefined;
  /** When the value that waits was asked for; undefined while none does. */
  readonly askedAt: number | undefined;
  /** It goes only when the hand is at rest. */
  readonly atRest: boolean;
}

/** Milliseconds until the value that waits goes; undefined while none waits, or another is still out. */
export function dueIn({ isOut, sentAt, askedAt, atRest }: Pace, now: number): number | undefined {
  if (askedAt === undefined || isOut) return undefined;
  if (atRest) return Math.max(0, askedAt + AT_REST - now);
  return sentAt === undefined ? 0 : Math.max(0, sentAt + APART - now);
}
