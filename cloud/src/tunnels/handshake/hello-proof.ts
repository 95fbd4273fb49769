/** Whether the sender of a hello holds the key that it presents: the one place that touches Ed25519. */
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { helloProof } from "@porchlight/shared/tunnel";

export interface ProofClaims {
  /** Base64 of the SPKI DER. */
  readonly publicKey: string;
  /** Base64. */
  readonly signature: string;
}

/** What the proof is bound to: a hello proves nothing under another challenge, token or host. */
export interface ProofBinding {
  readonly nonce: string;
  /** SHA-256 of the client token, lower-case hex. */
  readonly tokenDigest: string;
  /** The `host` that the hub asked for. */
  readonly host: string;
}

export function provesKey(claims: ProofClaims, binding: ProofBinding): boolean {
  return isSignedBy(claims.publicKey, helloProof(binding.nonce, binding.tokenDigest, binding.host), claims.signature);
}

/** Whether the bytes were signed with that key. @param publicKey base64 of the SPKI DER @param signature base64 */
export function isSignedBy(publicKey: string, bytes: Uint8Array, signature: string): boolean {
  const key = ed25519Key(publicKey);
  return key !== undefined && verify(null, bytes, key, Buffer.from(signature, "base64"));
}

/** How the SPKI DER of every Ed25519 key begins; its 32 bytes follow (RFC 8410). */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");
const KEY_BYTES = 32;

/** The key, or undefined when the text is not exactly the base64 of an Ed25519 key's SPKI DER. Its bytes are handed over as they are: parsing the DER costs as much as the check of a signature. */
function ed25519Key(text: string): KeyObject | undefined {
  const der = Buffer.from(text, "base64");
  // One key has one text: it is compared as text with the bound one.
  if (der.toString("base64") !== text) return undefined;
  if (der.length !== SPKI.length + KEY_BYTES || !der.subarray(0, SPKI.length).equals(SPKI)) return undefined;
  const x = der.toString("base64url", SPKI.length);
  return withoutStacks(() => createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }));
}

/** Node.js finds out what it was given by errors that it catches: their stacks cost more than the key. */
function withoutStacks<T>(make: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
