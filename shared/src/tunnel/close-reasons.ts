/** Why a tunnel ends: the WebSocket close codes (RFC 6455, 4000 and up are the application's) under the names that logs and metrics use. */

export const CLOSE_CODES = {
  /** The node restarts: come back soon, to whichever node answers. */
  restart: 1012,
  /** A newer connection of the same client has taken over. */
  superseded: 4001,
  /** The client is bound to another key. */
  wrong_key: 4002,
  /** The client is bound to another edgeId. */
  wrong_edge: 4003,
  /** No valid hello within its time. */
  hello_timeout: 4004,
  /** A message that is no JSON-RPC 2.0, breaks its schema, or came before the hello. */
  malformed: 4005,
  /** Nothing was heard for a lease. */
  lease_expired: 4006,
  /** The token, or what it stands for, is gone. */
  token_revoked: 4007,
  /** No version that both ends speak. */
  version_unsupported: 4008,
  /** The other side did not take what it was sent. */
  overloaded: 4009,
  /** Two instances keep replacing each other: the newest stays, this one comes back later. */
  duplicate: 4010,
  /** The cloud cannot store at the moment. */
  unavailable: 4011,
  /** This end stops in order. */
  stopping: 1001,
} as const;

export type CloseReason = keyof typeof CLOSE_CODES;

const REASONS: ReadonlyMap<number, CloseReason> = new Map(
  Object.entries(CLOSE_CODES).map(([reason, code]) => [code, reason as CloseReason]),
);

/** The named reason of a close code; `lost` for every other: the line broke, or a peer said something foreign. */
export function closeReason(code: number): CloseReason | "lost" {
  return REASONS.get(code) ?? "lost";
}
