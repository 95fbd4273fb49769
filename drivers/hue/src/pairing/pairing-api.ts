/** What is asked of a bridge before it is paired, and while its button is pressed: what a fake stands in for. */
import type { BridgeAddress } from "../bridge/bridge-api.ts";

/** What every bridge says of itself to everybody. */
export interface BridgeFacts {
  readonly bridgeId: string;
  readonly name: string;
  /** Version of its software: a number that grows, `1967054020`. */
  readonly software: number;
}

/** What answers is not a bridge. */
export class NoBridge extends Error {
  constructor() {
    super("What answers there is no Hue bridge.");
  }
}

/** The first software that has the API (CLIP v2) with its event stream. */
export const OLDEST_SOFTWARE = 1_948_086_000;

/** `pressed`: the button was pressed, and this hub has a key now. `waiting`: it was not. */
export type KeyAnswer =
  | { readonly kind: "pressed"; readonly key: string; readonly pinned: string | undefined }
  | { readonly kind: "waiting" };

export interface PairingApi {
  /** @throws NoBridge, Error when nothing answers there */
  facts(address: BridgeAddress, signal?: AbortSignal): Promise<BridgeFacts>;
  /**
   * @param mustBeSigned the bridge has had a certificate of its maker before: it cannot have lost it
   * @throws CertificateRefused, Error
   */
  askKey(address: BridgeAddress, bridgeId: string, mustBeSigned: boolean): Promise<KeyAnswer>;
}
