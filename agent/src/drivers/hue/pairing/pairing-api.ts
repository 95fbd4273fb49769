/** What is asked of a bridge before it is paired, and while its button is pressed: what a fake stands in for. */
import type { BridgeAddress } from "../bridge/bridge-api.ts";

/** What every bridge says of itself to everybody. */
export interface BridgeFacts {
  readonly bridgeId: string;
  readonly name: string;
  /** Version of its software: a number that grows, `1967054020`. */
  readonly software: number;
}

/** `pressed`: the button was pressed, and this hub has a key now. `waiting`: it was not. */
export type KeyAnswer =
  | { readonly kind: "pressed"; readonly key: string; readonly pinned: string | undefined }
  | { readonly kind: "waiting" };

export interface PairingApi {
  /** @throws Error when nothing answers there, or no bridge */
  facts(address: BridgeAddress): Promise<BridgeFacts>;
  /** @throws CertificateRefused, Error */
  askKey(address: BridgeAddress, bridgeId: string): Promise<KeyAnswer>;
}
