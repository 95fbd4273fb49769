/** The bytes that a hub signs in its hello: bound to this challenge, token and host, so that the proof is useless anywhere else. */

/**
 * @param nonce of the challenge
 * @param tokenDigest SHA-256 of the client token, lower-case hex
 * @param host the host (and port) that the hub connected to, lower case, as in its `host` header
 */
export function helloProof(nonce: string, tokenDigest: string, host: string): Uint8Array {
  return new TextEncoder().encode(["porchlight-tunnel-v1", nonce, tokenDigest, host.toLowerCase()].join("\n"));
}
