/** When a node says HELLO: a decision without I/O, so that its seconds and minutes stand in one table of tests. */
import { TIMES } from "@porchlight/shared/wire";

/** A node that has not been acknowledged since it booted, heard WHO or lost its hub. Instants are monotonic ms. */
export interface Greeting {
  /** The seq of this greeting's HELLO, the same at every repetition. */
  readonly seq: number;
  readonly since: number;
  /** When HELLO must be said next. */
  readonly nextAt: number;
}

/** A greeting that begins now. */
export function greet(seq: number, now: number): Greeting {
  return { seq, since: now, nextAt: now };
}

/** HELLO has been said: again in a second, after a minute in ten. DP5, "Start". */
export function greeted(greeting: Greeting, now: number): Greeting {
  const patient = now - greeting.since < TIMES.helloPatience;
  return { ...greeting, nextAt: now + (patient ? TIMES.hello : TIMES.helloSlow) };
}

/** HELLO was answered with ERROR 11 or 12: not again for a minute, unless a WHO asks. */
export function turnedAway(greeting: Greeting, now: number): Greeting {
  return { ...greeting, nextAt: now + TIMES.helloRefused };
}

/** A WHO asks: HELLO is due at once, and somebody is there to be patient with. */
export function asked(greeting: Greeting, now: number): Greeting {
  return { ...greeting, since: now, nextAt: now };
}
