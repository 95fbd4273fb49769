/** Whether the other side is still there: a decision without I/O. DP5, "Life". */
import { PINGS, TIMES } from "@porchlight/shared/wire";

/** Instants are monotonic ms. */
export interface Life {
  /** When the last frame with a good CRC came. */
  readonly heardAt: number;
  /** The seqs of the PINGs that nothing has come after, oldest first. */
  readonly pings: readonly number[];
  readonly pingedAt: number;
}

/** A frame with a good CRC has come. */
export function heard(now: number): Life {
  return { heardAt: now, pings: [], pingedAt: now };
}

/** A PING has been sent. */
export function pinged(life: Life, seq: number, now: number): Life {
  return { ...life, pings: [...life.pings, seq], pingedAt: now };
}

/** When something must be done, and what: another PING, or to take the link as down. */
export function lifeDue(life: Life): { readonly at: number; readonly what: "ping" | "down" } {
  if (life.pings.length === 0) return { at: life.heardAt + TIMES.silence, what: "ping" };
  return { at: life.pingedAt + TIMES.pong, what: life.pings.length < PINGS ? "ping" : "down" };
}
