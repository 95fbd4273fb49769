/** A bridge's API (CLIP v2) as the driver uses it: what a fake stands in for. */

export interface BridgeAddress {
  readonly host: string;
  readonly port: number;
}

export interface ApiAnswer {
  readonly status: number;
  /** The body; undefined when it is not JSON. */
  readonly json: unknown;
}

/** A bridge whose event stream is open. */
export interface BridgeConnection extends AsyncDisposable {
  /**
   * @param path below `/clip/v2/resource`: `/light/ID`, or empty for all resources
   * @throws Error when there is no answer: the request may have been carried out
   */
  request(method: "GET" | "PUT", path: string, body?: object): Promise<ApiAnswer>;
  /** Settles with why, when the event stream has ended. */
  readonly closed: Promise<string>;
}

/**
 * Opens the event stream.
 * @param take given each message as it comes, parsed; undefined for one that is no JSON or too large
 * @throws KeyRefused, CertificateRefused, Error when it cannot be opened
 */
export type OpenBridge = (take: (message: unknown) => void, signal: AbortSignal) => Promise<BridgeConnection>;

const BRIDGE_ID = /^[0-9A-F]{16}$/;

/** Upper-case hex of a bridge's id; undefined of what is none. */
export function bridgeIdOf(text: string | undefined): string | undefined {
  const id = text?.toUpperCase();
  return id !== undefined && BRIDGE_ID.test(id) ? id : undefined;
}

/** `HOST`, or `HOST:PORT` where the port is not the usual one. */
export function placeOf({ host, port }: BridgeAddress): string {
  return port === 443 ? host : `${host}:${port}`;
}
