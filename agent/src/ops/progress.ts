/**
 * Whether the agent makes progress, as far as a restart would restore it: the watchdog depends on it. A hub without internet is not
 * stuck; one whose attempt to connect never ends is.
 */
import type { AgentStatus } from "./status-schema.ts";

/** Longest that one attempt may take, ms; each of its steps has its own limit. */
const ATTEMPT_MS = 120_000;
/** How late a waiting hub may continue after its announced time, ms. */
const LATE_MS = 60_000;

type Tunnel = AgentStatus["tunnel"];

export class Progress {
  #seen: { readonly state: string; readonly since: number; readonly at: number } | undefined;

  /**
   * Describes the stuck part; undefined when nothing is stuck.
   * @param now on the monotonic clock, ms: the wall clock may jump
   */
  stuck({ tunnel }: Pick<AgentStatus, "tunnel">, now: number): string | undefined {
    const { state, since } = tunnel;
    if (this.#seen?.state !== state || this.#seen.since !== since) this.#seen = { state, since, at: now };
    const limit = longest(tunnel);
    return limit !== undefined && now - this.#seen.at > limit ? `the tunnel is ${state}` : undefined;
  }
}

/** The maximum time in the tunnel's current state, ms; undefined: unlimited. */
function longest({ state, since, until }: Tunnel): number | undefined {
  switch (state) {
    case "connecting":
    case "opening":
      return ATTEMPT_MS;
    case "waiting":
    case "leaving":
      // Both times come from one moment of one clock, so that their difference is a duration.
      return Math.max(0, (until ?? since) - since) + LATE_MS;
    case "online":
    case "unpaired":
    case "stopped":
      return undefined;
  }
}
