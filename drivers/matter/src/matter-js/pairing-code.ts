/** Reads pairing codes by matter.js: 11 or 21 digits, or the text of a QR code; a person reads the reason why a text is none. */
import { isValidPasscode, ManualPairingCodeCodec, QrPairingCodeCodec } from "@matter/main/types";
import { NoPairingCode, type PairingCode } from "../network/matter-network.ts";

/** Base 38 has five characters for three bytes and four for two; a QR code has at least eleven bytes. */
const GROUP = 5;
const LEAST_CHARACTERS = 19;

/** @throws NoPairingCode */
export function readPairingCode(text: string): PairingCode {
  const trimmed = text.trim();
  const code = /^MT:/i.test(trimmed) ? fromQr(trimmed.slice(3).toUpperCase()) : fromDigits(trimmed);
  if (!isValidPasscode(code.passcode))
    throw new NoPairingCode("This is not the code of a device: a digit may be wrong.");
  return code;
}

function fromDigits(text: string): PairingCode {
  const digits = text.replace(/[\s.-]/g, "");
  if (!/^(?:\d{11}|\d{21})$/.test(digits))
    throw new NoPairingCode("A pairing code has 11 digits (or 21), or is the text of a QR code that begins with MT:.");
  const first = Number(digits[0]);
  if (first > 7) throw new NoPairingCode("The first digit is wrong, or the code is of a later version of Matter.");
  const wrong = "A digit of the pairing code is wrong.";
  // A code of 21 digits says so in its first digit, which the library does not compare with the length.
  if (first >= 4 !== (digits.length === 21)) throw new NoPairingCode(wrong);
  const { passcode, shortDiscriminator = 0 } = decoded(() => ManualPairingCodeCodec.decode(digits, false), wrong);
  return { passcode, discriminator: { short: shortDiscriminator } };
}

function fromQr(text: string): PairingCode {
  const [payload = ""] = text.split("*");
  const incomplete = "The text of the QR code is not complete.";
  if (payload.length < LEAST_CHARACTERS) throw new NoPairingCode(incomplete);
  // The library (0.17.9) rejects a text of whole groups. One more byte is not part of the code.
  const whole = payload.length % GROUP === 0 ? `${payload}00` : payload;
  const [code] = decoded(() => QrPairingCodeCodec.decode(`MT:${whole}`, false), incomplete);
  if (code === undefined || code.version !== 0) throw new NoPairingCode("The QR code is of a later version of Matter.");
  return { discriminator: { long: code.discriminator }, passcode: code.passcode };
}

/** @throws NoPairingCode with that message when the library does not accept the text */
function decoded<T>(decode: () => T, message: string): T {
  try {
    return decode();
  } catch (cause) {
    throw new NoPairingCode(message, { cause });
  }
}
