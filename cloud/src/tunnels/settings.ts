/** The lengths and bounds of tunnels, all in one place because the operator may set each of them. */
import { type BudgetRule, HUB_BUDGET } from "./session/hub-budgets.ts";

export interface TunnelSettings {
  /** A tunnel from which nothing was heard for this long is over, ms. */
  readonly leaseMs: number;
  /** How often a hub is told to be heard, ms. */
  readonly heartbeatMs: number;
  /** Time for a valid hello after the challenge, ms. */
  readonly helloMs: number;
  /** How often the one sweep over all tunnels runs, ms. */
  readonly sweepMs: number;
  /** A break shorter than this is no event, ms. */
  readonly offlineAfterMs: number;
  /** For this long after the start of this process no hub of the time before is called offline, ms. */
  readonly startGraceMs: number;
  /** Batches of records of one hub that may be in the store's hands; above it the hub is not read. */
  readonly uncommittedBatches: number;
  /** What hubs may say a second: the one thing here that no operator sets, because hubs are written to it. */
  readonly budget: BudgetRule;
  /** Handshakes that are let in, a second on average, and at once. */
  readonly handshakesPerSecond: number;
  readonly handshakeBurst: number;
  /** Hubs are sent away over this time when the node drains, ms. */
  readonly drainSpreadMs: number;
  /** Calls in flight have this long to end when the node drains, ms. */
  readonly drainLimitMs: number;
  /** What an instance that lost against a twin is told to wait, ms. */
  readonly duplicateWaitMs: number;
  /** Length of the node's lease in the database, and how often it is renewed, ms. */
  readonly nodeLeaseMs: number;
  readonly nodeRenewMs: number;
  /** See {@link RolloutPolicy}, ms. */
  readonly youngerByMs: number;
  readonly rolloutMs: number;
  /** How often the leases of the other nodes are looked at, ms. */
  readonly nodeLookMs: number;
}

export const TUNNEL_DEFAULTS: TunnelSettings = {
  leaseMs: 15_000,
  heartbeatMs: 5_000,
  helloMs: 5_000,
  sweepMs: 1_000,
  offlineAfterMs: 10_000,
  startGraceMs: 60_000,
  uncommittedBatches: 8,
  budget: HUB_BUDGET,
  handshakesPerSecond: 600,
  handshakeBurst: 600,
  drainSpreadMs: 5_000,
  drainLimitMs: 20_000,
  duplicateWaitMs: 60_000,
  nodeLeaseMs: 15_000,
  nodeRenewMs: 5_000,
  youngerByMs: 600_000,
  rolloutMs: 600_000,
  nodeLookMs: 1_000,
};
