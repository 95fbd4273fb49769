/** The interface between the tunnel's end and the network: how the uplink requests a socket, and how a refusal is reported. */
import { type MessageSocket, TUNNEL_PATH } from "@porchlight/shared/tunnel";

/**
 * Opens a socket to the tunnel's address with the token in `authorization`.
 * @throws DialRefused when the other side answers with a status, another error when it does not answer
 */
export type Dial = (url: string, token: string, signal: AbortSignal) => Promise<MessageSocket>;

/** The handshake was refused before the upgrade. */
export class DialRefused extends Error {
  readonly kind = "refused";
  /** HTTP status. */
  readonly status: number;
  /** The value of `retry-after`, ms: 0 is at once. Undefined when it was missing. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, retryAfterMs?: number) {
    super(`the cloud refused the tunnel with status ${status}`);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * The address of a service's tunnel.
 * @param cloudUrl base address of the service, http or https
 * @throws TypeError when it is not a URL
 */
export function tunnelUrl(cloudUrl: string): URL {
  const url = new URL(cloudUrl);
  url.protocol = url.protocol === "http:" ? "ws:" : "wss:";
  url.pathname = url.pathname.replace(/\/*$/, TUNNEL_PATH);
  url.search = "";
  url.hash = "";
  return url;
}
