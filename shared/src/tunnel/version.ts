/** The tunnel's version: one integer that both ends compare, with its history. */
import { MAX_VALUE_DEPTH } from "../model/index.ts";

/**
 * - 1 (2026-11): first version.
 */
export const TUNNEL_VERSION = 1;

/** The oldest version that this code supports. The cloud serves every version of the last 24 months. */
export const TUNNEL_VERSION_OLDEST = 1;

/** WebSocket subprotocol that the hub requests and the cloud confirms in the handshake. */
export const TUNNEL_SUBPROTOCOL = "porchlight.tunnel.v1";

/** Path that a hub connects to, relative to the service's base address. */
export const TUNNEL_PATH = "/api/tunnel";

/** Largest message in either direction, bytes of UTF-8. */
export const MAX_MESSAGE_BYTES = 256 * 1024;

/** Deepest message: a value of maximum depth and its envelope. */
export const MAX_MESSAGE_DEPTH = MAX_VALUE_DEPTH + 8;

/** The newest version that both ends support; undefined when there is none. */
export function negotiate(oldest: number, newest: number): number | undefined {
  const version = Math.min(newest, TUNNEL_VERSION);
  return version >= Math.max(oldest, TUNNEL_VERSION_OLDEST) ? version : undefined;
}
