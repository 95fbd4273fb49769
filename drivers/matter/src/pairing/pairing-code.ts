/** Pairing codes: 11 or 21 digits, or the text of a QR code. Pure. */
import type { PairingCode } from "../network/matter-network.ts";

/** A text is no pairing code; the message says why, for people. */
export class NoPairingCode extends Error {}

const BASE38 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-.";
/** Passcodes that no device may have. */
const FORBIDDEN: ReadonlySet<number> = new Set([
  ...Array.from({ length: 10 }, (_, digit) => digit * 11_111_111),
  ...[12_345_678, 87_654_321],
]);

/** @throws NoPairingCode */
export function readPairingCode(text: string): PairingCode {
  const trimmed = text.trim();
  const code = /^MT:/i.test(trimmed) ? fromQr(trimmed.slice(3).toUpperCase()) : fromDigits(trimmed);
  if (FORBIDDEN.has(code.passcode) || code.passcode > 99_999_998)
    throw new NoPairingCode("This is not the code of a device: a digit may be wrong.");
  return code;
}

function fromDigits(text: string): PairingCode {
  const digits = text.replace(/[\s.-]/g, "");
  if (!/^(?:\d{11}|\d{21})$/.test(digits))
    throw new NoPairingCode("A pairing code has 11 digits (or 21), or is the text of a QR code that begins with MT:.");
  if (!isChecked(digits)) throw new NoPairingCode("A digit of the pairing code is wrong.");
  const first = Number(digits[0]);
  if (first > 7) throw new NoPairingCode("The pairing code is of a later version of Matter.");
  if (first >= 4 !== (digits.length === 21)) throw new NoPairingCode("A digit of the pairing code is wrong.");
  const [middle, last] = [Number(digits.slice(1, 6)), Number(digits.slice(6, 10))];
  return {
    passcode: (middle & 0x3fff) | (last << 14),
    discriminator: { short: ((first & 3) << 2) | (middle >> 14) },
  };
}

/** 3 bits version, 16 vendor, 16 product, 2 flow, 8 capabilities, 12 discriminator, 27 passcode; the lowest first. */
function fromQr(text: string): PairingCode {
  const [payload = ""] = text.split("*");
  const bytes = fromBase38(payload);
  if (bytes.length < 11) throw new NoPairingCode("The text of the QR code is not complete.");
  const bits = bytes.slice(0, 11).reduce((sum, byte, at) => sum | (BigInt(byte) << BigInt(8 * at)), 0n);
  const part = (from: number, length: number) => Number((bits >> BigInt(from)) & ((1n << BigInt(length)) - 1n));
  if (part(0, 3) !== 0) throw new NoPairingCode("The QR code is of a later version of Matter.");
  return { discriminator: { long: part(45, 12) }, passcode: part(57, 27) };
}

/** Five characters are three bytes, four are two, two are one. */
function fromBase38(text: string): number[] {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 5) {
    const group = text.slice(at, at + 5);
    const count = { 5: 3, 4: 2, 2: 1 }[group.length];
    const numbers = [...group].map((character) => BASE38.indexOf(character));
    if (count === undefined || numbers.includes(-1))
      throw new NoPairingCode("The text of the QR code is not complete.");
    let value = numbers.reduceRight((sum, number) => sum * 38 + number, 0);
    for (let byte = 0; byte < count; byte += 1) {
      bytes.push(value & 0xff);
      value = Math.floor(value / 256);
    }
    if (value > 0) throw new NoPairingCode("The text of the QR code is wrong.");
  }
  return bytes;
}

/** Verhoeff: the dihedral group of ten elements. */
function isChecked(digits: string): boolean {
  let sum = 0;
  for (const [at, digit] of [...digits].reverse().entries()) sum = product(sum, permuted(Number(digit), at));
  return sum === 0;
}

function product(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : ((a + (b - 5)) % 5) + 5;
  return b < 5 ? ((a - 5 - b + 5) % 5) + 5 : (a - b + 5) % 5;
}

const PERMUTATION = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

function permuted(digit: number, times: number): number {
  let now = digit;
  for (let at = 0; at < times % 8; at += 1) now = PERMUTATION[now] ?? 0;
  return now;
}
