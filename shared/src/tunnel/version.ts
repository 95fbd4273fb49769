/** The tunnel's version: one integer that both ends compare, with its history. */
import { MAX_VALUE_DEPTH } from "../model/index.ts";

/**
 * - 1 (2026-11): first version.
 */
export const TUNNEL_VERSION = 1;

/** The oldest version that this code still speaks. The cloud serves every version of the last 24 months. */
export const TUNNEL_VERSION_OLDEST = 1;

/** WebSocket subprotocol asked for and confirmed in the handshake. */
export const TUNNEL_SUBPROTOCOL = "porchlight.tunnel.v1";

/** Where a hub connects, relative to the service's base address. */
export const TUNNEL_PATH = "/api/tunnel";

/** Largest message either side sends, bytes of UTF-8. */
export const MAX_MESSAGE_BYTES = 256 * 1024;

/** Deepest message: a value as deep as may be, and what stands around it. */
export const MAX_MESSAGE_DEPTH = MAX_VALUE_DEPTH + 8;

/** What both ends can speak, or undefined when there is nothing. */
export function negotiate(oldest: number, newest: number): number | undefined {
  const version = Math.min(newest, TUNNEL_VERSION);
  return version >= Math.max(oldest, TUNNEL_VERSION_OLDEST) ? version : undefined;
}
