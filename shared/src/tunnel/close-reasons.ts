/** Why a tunnel ends: the WebSocket close codes (RFC 6455; the application's begin at 4000) under the names that logs and metrics use. */

export const CLOSE_CODES = {
  /** The node restarts: reconnect soon, to any node. */
  restart: 1012,
  /** A newer connection of the same client replaced this one. */
  superseded: 4001,
  /** The client is bound to another key. */
  wrong_key: 4002,
  /** The client is bound to another edgeId. */
  wrong_edge: 4003,
  /** No valid hello in time. */
  hello_timeout: 4004,
  /** A message that is not JSON-RPC 2.0, breaks its schema, or arrived before the hello. */
  malformed: 4005,
  /** Nothing was received for the length of a lease. */
  lease_expired: 4006,
  /** The token was revoked, or its object was deleted. */
  token_revoked: 4007,
  /** The two ends share no version. */
  version_unsupported: 4008,
  /** The other end did not read what was sent to it. */
  overloaded: 4009,
  /** Two instances keep replacing each other: the newest stays, this one reconnects later. */
  duplicate: 4010,
  /** The cloud cannot store at the moment. */
  unavailable: 4011,
  /** This end shuts down in order. */
  stopping: 1001,
} as const;

export type CloseReason = keyof typeof CLOSE_CODES;

const REASONS: ReadonlyMap<number, CloseReason> = new Map(
  Object.entries(CLOSE_CODES).map(([reason, code]) => [code, reason as CloseReason]),
);

/** The named reason of a close code. Any other code is `lost`: the line broke, or the peer sent a foreign code. */
export function closeReason(code: number): CloseReason | "lost" {
  return REASONS.get(code) ?? "lost";
}
