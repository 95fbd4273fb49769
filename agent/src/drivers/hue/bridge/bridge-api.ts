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

/** The bridge does not know the hub's key any more. */
export class KeyRefused extends Error {
  constructor() {
    super("The bridge no longer accepts the key of this hub. Pair it again.");
  }
}

/** What answers is not the bridge that was paired. */
export class CertificateRefused extends Error {
  constructor(bridgeId: string) {
    super(
      `What answers at its address does not have the certificate of the bridge ${bridgeId}. Nothing was sent to it.`,
    );
  }
}
