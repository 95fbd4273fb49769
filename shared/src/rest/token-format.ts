/** The format of a token: checks of a credential that need no lookup (A1.3). */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Random } from "../kernel/index.ts";

/** `acc` account, `auth` authentication, `srv` server, `usr` user, `cli` client. */
export type TokenKind = "acc" | "auth" | "srv" | "usr" | "cli";
/** `loc`: created on a hub, and valid only there. */
export type AnyTokenKind = TokenKind | "loc";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** Largest multiple of 62 that fits a byte: larger bytes would make some digits more likely than others. */
const FAIR = 248;
const FORM = /^plt_(acc|auth|srv|usr|cli|loc)_[0-9A-Za-z]{38}$/;

/** A new token: `plt_<kind>_`, 32 random base62 characters, 6 of checksum. */
export function makeToken(kind: AnyTokenKind, random: Random): string {
  let secret = "";
  while (secret.length < SECRET_LENGTH) {
    for (const byte of random.bytes(SECRET_LENGTH)) {
      if (byte < FAIR && secret.length < SECRET_LENGTH) secret += DIGITS[byte % 62];
    }
  }
  const body = `plt_${kind}_${secret}`;
  return body + checksum(body);
}

/** The kind of a token with valid form and checksum; undefined for any other text. */
export function tokenKind(text: string): AnyTokenKind | undefined {
  const kind = FORM.exec(text)?.[1];
  if (kind === undefined) return undefined;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.endsWith(checksum(body)) ? (kind as AnyTokenKind) : undefined;
}

/** The stored form of a token: its SHA-256, hex. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** CRC-32 (IEEE) in base62, most significant digit first. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  while (digits.length < CHECKSUM_LENGTH) {
    digits = `${DIGITS[rest % 62]}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
