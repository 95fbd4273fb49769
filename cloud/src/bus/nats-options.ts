/** Where NATS is and as whom to come, from the addresses that the operator gives. */
import type { NodeConnectionOptions } from "@nats-io/transport-node";

/** A connection from which nothing is heard is given up after two of these, ms. */
const PING_MS = 2_000;
/** Between two attempts, with as much again by chance, ms. */
const AGAIN_MS = 250;
/** For one attempt, ms. */
const CONNECT_MS = 3_000;

/**
 * @param urls `nats://` or `tls://`, commas between; `user:password@` or `token@` of the first counts for all
 */
export function natsOptions(urls: string): NodeConnectionOptions {
  const parsed = urls.split(",").map((url) => new URL(url.trim()));
  const first = parsed[0];
  const user = decodeURIComponent(first?.username ?? "");
  const pass = decodeURIComponent(first?.password ?? "");
  return {
    servers: parsed.map(({ hostname, port }) => `${hostname}:${port || "4222"}`),
    ...(pass ? { user, pass } : user ? { token: user } : {}),
    ...(parsed.some(({ protocol }) => protocol === "tls:") && { tls: {} }),
    name: "porchlight-cloud",
    noEcho: true,
    reconnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: AGAIN_MS,
    reconnectJitter: AGAIN_MS,
    reconnectJitterTLS: AGAIN_MS,
    waitOnFirstConnect: true,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    ignoreClusterUpdates: false,
  };
}
