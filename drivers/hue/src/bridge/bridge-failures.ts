/** Why a bridge cannot be used, other than that it does not answer. */

/** The bridge no longer accepts the hub's key. */
export class KeyRefused extends Error {
  constructor() {
    super("The bridge no longer accepts the key of this hub. Pair it again.");
  }
}

/** The peer is not the paired bridge. */
export class CertificateRefused extends Error {
  /** ID of another bridge, when the certificate is for one. */
  readonly named: string | undefined;

  /** @param named name in the peer's certificate */
  constructor(bridgeId: string, named: string) {
    const other = bridgeIdOf(named) === bridgeId ? undefined : bridgeIdOf(named);
    super(
      other === undefined
        ? `What answers at its address does not have the certificate of the bridge ${bridgeId}. Nothing was sent to it.`
        : `Another bridge answers at its address (${other}). Nothing was sent to it.`,
    );
    this.named = other;
  }
}

/** The bridge accepts no more connections or requests at the moment (429, 503). */
export class BridgeBusy extends Error {
  constructor(status: number) {
    super(`The bridge has too many connections or requests (status ${status}).`);
  }
}

/** The bridge lacks the API with the event stream (CLIP v2). */
export class SoftwareTooOld extends Error {
  constructor(message = "The software of the bridge is too old: it does not have the API that the hub uses.") {
    super(message);
  }
}

/** Whether a status means that the bridge accepts no more at the moment. */
export function isBusy(status: number): boolean {
  return status === 429 || status === 503;
}

/** A bridge's API (CLIP v2) as far as the driver uses it; tests have a fake. */

export interface BridgeAddress {
  readonly host: string;
  readonly port: number;
}

export interface ApiAnswer {
  readonly status: number;
  /** Body of the answer; undefined when it is not JSON. */
  readonly json: unknown;
}

/** A bridge whose event stream is open. */
export interface BridgeConnection extends AsyncDisposable {
  /**
   * @param path below `/clip/v2/resource`: `/light/ID`, or empty for all resources
   * @throws Error when there is no answer: the request may have been carried out
   */
  request(method: "GET" | "PUT", path: string, body?: object): Promise<ApiAnswer>;
  /** Resolves with the reason when the event stream ends. */
  readonly closed: Promise<string>;
}

/**
 * Opens the event stream.
 * @param take called with each parsed message; undefined for one that is not JSON or too large
 * @throws KeyRefused, CertificateRefused, Error when it cannot be opened
 */
export type OpenBridge = (take: (message: unknown) => void, signal: AbortSignal) => Promise<BridgeConnection>;

const BRIDGE_ID = /^[0-9A-F]{16}$/;

/** A bridge's ID as upper-case hex; undefined when it is invalid. */
export function bridgeIdOf(text: string | undefined): string | undefined {
  const id = text?.toUpperCase();
  return id !== undefined && BRIDGE_ID.test(id) ? id : undefined;
}

/** `HOST`, or `HOST:PORT` unless the port is 443. */
export function placeOf({ host, port }: BridgeAddress): string {
  return port === 443 ? host : `${host}:${port}`;
}
