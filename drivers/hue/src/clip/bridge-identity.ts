/** Whether what answers is the bridge that it should be: by its certificate. Pure. */

/** What a connection says of its other end. */
export interface PeerCertificate {
  /** The maker has signed it, and it is valid now. */
  readonly isSigned: boolean;
  /** The name that it is made out to. */
  readonly name: string;
  /** SHA-256 of it, as Node.js writes it. */
  readonly fingerprint: string;
}

/** What was seen when the bridge was paired. */
export interface KnownBridge {
  readonly bridgeId: string;
  /** Of a certificate that the maker has not signed, as older bridges have: its SHA-256. */
  readonly pinned?: string | undefined;
}

/**
 * `signed`: by the maker, for this bridge. `pinned`: the very one that was seen at pairing. `new`: none is known yet, and it is made out
 * to the bridge, by itself. `other`: nothing may be sent to it.
 */
export type BridgeIdentity = "signed" | "pinned" | "new" | "other";

/** @param isPairing somebody is pressing the bridge's button: one that nobody has signed is taken as it is, and kept */
export function bridgeIdentityOf(
  peer: PeerCertificate,
  { bridgeId, pinned }: KnownBridge,
  isPairing = false,
): BridgeIdentity {
  const isNamed = peer.name.toUpperCase() === bridgeId.toUpperCase();
  if (peer.isSigned) return isNamed ? "signed" : "other";
  if (pinned !== undefined) return peer.fingerprint === pinned ? "pinned" : "other";
  return isPairing && isNamed ? "new" : "other";
}
