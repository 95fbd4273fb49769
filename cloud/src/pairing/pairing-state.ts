/** What a poll or a person's answer leads to, given the state of a pairing or a log-in by code: pure, so that one table of tests has every case. */

/** The state of what waits under a code; times are wall clock, ms. */
export interface CodeState {
  readonly state: "pending" | "approved" | "denied";
  /** Least time between two polls. */
  readonly intervalMs: number;
  /** The last poll that was not too early. */
  readonly polledAt: number | null;
  readonly expiresAt: number;
}

export interface PairingState extends CodeState {
  /** Of the client when a token was last told. */
  readonly issuedEpoch: number | null;
}

export type PollDecision =
  | { readonly kind: "denied" | "expired" | "pending" | "approved" }
  /** Too early. @param intervalMs what must be kept from now on */
  | { readonly kind: "slow_down"; readonly intervalMs: number; readonly waitMs: number };

/** What each poll that is too early adds (RFC 8628, section 3.5), and where that ends: past it nothing is stored any more, ms. */
const SLOWER_BY = 5_000;
const SLOWEST = 60_000;

/** A poll of whoever has the other code. */
export function decidePoll(pairing: CodeState, now: number): PollDecision {
  const { state, intervalMs, polledAt, expiresAt } = pairing;
  if (state === "denied") return { kind: "denied" };
  if (now >= expiresAt) return { kind: "expired" };
  // A clock that was set back delays no hub.
  const early = polledAt === null || now < polledAt ? 0 : polledAt + intervalMs - now;
  if (early > 0) {
    const slower = Math.max(intervalMs, Math.min(intervalMs + SLOWER_BY, SLOWEST));
    return { kind: "slow_down", intervalMs: slower, waitMs: early + slower - intervalMs };
  }
  return { kind: state };
}

/**
 * Whether a token is told to the hub of an approved pairing.
 * @param epoch of the client; undefined when it is gone
 */
export function decideIssue(
  { issuedEpoch }: Pick<PairingState, "issuedEpoch">,
  epoch: number | undefined,
): "issue" | "spent" | "withdrawn" {
  if (epoch === undefined) return "withdrawn";
  // Its first hello has come: the answer was not lost, and a second one would only end its tunnel.
  return issuedEpoch !== null && epoch > issuedEpoch ? "spent" : "issue";
}

/** Whether a person may still answer: once only, and in time. */
export function decideAnswer({ state, expiresAt }: CodeState, now: number): "open" | "spent" | "expired" {
  if (state !== "pending") return "spent";
  return now >= expiresAt ? "expired" : "open";
}
