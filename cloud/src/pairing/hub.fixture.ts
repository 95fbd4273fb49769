/** A hub as far as pairing knows one: a key, and the requests that it makes. */
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { seededRandom } from "@porchlight/shared/kernel";

export interface PairingHub {
  readonly edgeId: string;
  readonly publicKey: string;
  /** Body of `POST /api/pairings`. */
  readonly asks: { readonly edgeId: string; readonly agentVersion: string; readonly publicKey: string };
  /** Base64 signature over a text. */
  sign(text: string): string;
  /** Body of `POST /api/pairings/poll`. */
  polls(deviceCode: string): { readonly deviceCode: string; readonly signature: string };
}

/** The same number is the same hub. */
export function pairingHub(number: number): PairingHub {
  const head = Buffer.from("302e020100300506032b657004220420", "hex");
  const der = Buffer.concat([head, seededRandom(1000 + number).bytes(32)]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
  const edgeId = `02-00-00-00-01-${number.toString(16).padStart(2, "0").toUpperCase()}`;
  const signed = (text: string) => sign(null, Buffer.from(text), key).toString("base64");
  return {
    edgeId,
    publicKey,
    asks: { edgeId, agentVersion: "1.2.3", publicKey },
    sign: signed,
    polls: (deviceCode) => ({ deviceCode, signature: signed(deviceCode) }),
  };
}
