/** Durations and bounds of tunnels, in one place because the operator may set each of them. */
import { type BudgetRule, HUB_BUDGET } from "./session/hub-budgets.ts";

export interface TunnelSettings {
  /** A tunnel without a message for this long is over, ms. */
  readonly leaseMs: number;
  /** Interval at which a hub must send a heartbeat, ms. */
  readonly heartbeatMs: number;
  /** Time for a valid hello after the challenge, ms. */
  readonly helloMs: number;
  /** Interval of the one sweep over all tunnels, ms. */
  readonly sweepMs: number;
  /** A break shorter than this is no event, ms. */
  readonly offlineAfterMs: number;
  /** For this long after this process starts, no hub from before the start is reported offline, ms. */
  readonly startGraceMs: number;
  /** Maximum batches of one hub that wait for the store; above it the hub is not read. */
  readonly uncommittedBatches: number;
  /** What hubs may send a second: the only value here that no operator sets, because hubs are programmed for it. */
  readonly budget: BudgetRule;
  /** Handshakes admitted a second on average, and at once. */
  readonly handshakesPerSecond: number;
  readonly handshakeBurst: number;
  /** Hubs are disconnected over this time when the node drains, ms. */
  readonly drainSpreadMs: number;
  /** Time for calls in flight to finish when the node drains, ms. */
  readonly drainLimitMs: number;
  /** Retry delay for an instance that lost against a duplicate, ms. */
  readonly duplicateWaitMs: number;
  /** Length of the node's lease in the database, and the interval of its renewal, ms. */
  readonly nodeLeaseMs: number;
  readonly nodeRenewMs: number;
  /** See {@link RolloutPolicy}, ms. */
  readonly youngerByMs: number;
  readonly rolloutMs: number;
  /** Interval at which the leases of other nodes are checked, ms. */
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
