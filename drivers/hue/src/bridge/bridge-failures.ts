/** Why a bridge cannot be used, apart from that it does not answer. */

/** The bridge does not know the hub's key any more. */
export class KeyRefused extends Error {
  constructor() {
    super("The bridge no longer accepts the key of this hub. Pair it again.");
  }
}

/** What answers is not the bridge that was paired. */
export class CertificateRefused extends Error {
  /** The id of another bridge, when its certificate is made out to one. */
  readonly named: string | undefined;

  /** @param named the name in its certificate */
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

/** It takes no more connections or requests now (429, 503). */
export class BridgeBusy extends Error {
  constructor(status: number) {
    super(`The bridge has too many connections or requests (status ${status}).`);
  }
}

/** It does not have the API with the event stream (CLIP v2). */
export class SoftwareTooOld extends Error {
  constructor(message = "The software of the bridge is too old: it does not have the API that the hub uses.") {
    super(message);
  }
}

/** Whether a status means that the bridge takes no more now. */
export function isBusy(status: number): boolean {
  return status === 429 || status === 503;
}

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
