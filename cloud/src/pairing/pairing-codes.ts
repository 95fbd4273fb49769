/** The two codes of a pairing or a log-in by code: one that a person types, one that only the hub or program knows. Only their hashes are stored. */
import { createHash } from "node:crypto";
import { type ErrorName, NamedError, type Random } from "@porchlight/shared/kernel";

/** Consonants that are read and typed alike everywhere, and spell no word (RFC 8628, section 6.1). */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
/** 20 to the 8th: 34 bits, for a quarter of an hour, against ten wrong ones a minute of one account. */
const LENGTH = 8;
const FORM = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/;
/** Largest multiple of 20 that fits a byte: what lies above would make some letters likelier than others. */
const FAIR = 240;

/** A code for people: `WDJB-MJHT`. */
export function makeUserCode(random: Random): string {
  let letters = "";
  while (letters.length < LENGTH) {
    for (const byte of random.bytes(LENGTH)) {
      if (byte < FAIR && letters.length < LENGTH) letters += LETTERS[byte % LETTERS.length];
    }
  }
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** The code as it is shown, however a person wrote it. @param error what is thrown when it has not the form of a code */
export function readUserCode(text: string, error: ErrorName = "Pairing Code Invalid"): string {
  // Longer than anybody writes it, it is none.
  const letters = text.length > 64 ? "" : text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
  if (!FORM.test(letters)) throw new NamedError(error);
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** 256 bits, of characters that can never be the proof of a tunnel's hello: a hub signs this text. */
export function makeDeviceCode(random: Random): string {
  return Buffer.from(random.bytes(32)).toString("base64url");
}

/** What is kept of a code. */
export function pairingCodeHash(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

/** What people compare: of the key's SPKI DER, written as OpenSSH writes it. @param publicKey base64 */
export function keyFingerprint(publicKey: string): string {
  const digest = createHash("sha256").update(Buffer.from(publicKey, "base64")).digest("base64");
  return `SHA256:${digest.replace(/=+$/, "")}`;
}
