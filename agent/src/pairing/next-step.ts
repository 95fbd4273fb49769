/** What a hub does after each answer to a poll: pure, so that every case is in one table of tests. */
import type { Grant, PollAnswer } from "./pairing-cloud.ts";

/** How a hub is asking. */
export interface Asking {
  /** Least time between two polls, ms. */
  readonly intervalMs: number;
  /** Polls in a row that brought no answer. */
  readonly misses: number;
}

export type NextStep =
  | { readonly kind: "ask"; readonly asking: Asking; readonly waitMs: number }
  /** The code is no good any more: another one must be asked for. */
  | { readonly kind: "anew" }
  | { readonly kind: "denied" }
  | { readonly kind: "approved"; readonly grant: Grant };

/** What each "slow down" adds (RFC 8628, section 3.5), and where waiting after misses ends, ms. */
const SLOWER_BY = 5_000;
const LONGEST_WAIT = 60_000;
/** A cloud that asks for less must not be asked in a tight loop, ms. */
const LEAST_INTERVAL = 100;

/** @param seconds between two polls, as the cloud has told */
export function firstAsking(seconds: number): Asking {
  return { intervalMs: Math.max(LEAST_INTERVAL, seconds * 1000), misses: 0 };
}

export function afterPoll({ intervalMs, misses }: Asking, answer: PollAnswer): NextStep {
  switch (answer.kind) {
    case "approved":
      return { kind: "approved", grant: answer.grant };
    case "denied":
      return { kind: "denied" };
    case "expired":
    case "unknown":
      return { kind: "anew" };
    case "pending":
      return { kind: "ask", asking: { intervalMs, misses: 0 }, waitMs: intervalMs };
    case "slow_down": {
      const slower = intervalMs + SLOWER_BY;
      return {
        kind: "ask",
        asking: { intervalMs: slower, misses: 0 },
        waitMs: Math.max(slower, answer.retryAfterMs),
      };
    }
    case "setback": {
      // Twice as long after each miss (RFC 8628, section 3.5); the code may be approved meanwhile, and is not lost.
      const doubled = Math.min(intervalMs * 2 ** Math.min(misses + 1, 20), Math.max(LONGEST_WAIT, intervalMs));
      return {
        kind: "ask",
        asking: { intervalMs, misses: misses + 1 },
        waitMs: Math.max(doubled, answer.retryAfterMs),
      };
    }
  }
}
