/** A pairing code as text for a person at the hub: pure, with a QR code on a terminal. */
import { renderUnicodeCompact } from "uqr";
import type { ShownCode } from "./pairing.ts";

/** The details of the hub that the approving user compares. */
export interface ShownHub {
  readonly edgeId: string;
  readonly fingerprint: string;
}

/** @param isTerminal whether the output can show a QR code */
export function codeText(
  { userCode, verificationUri, verificationUriComplete }: ShownCode,
  hub: ShownHub,
  isTerminal: boolean,
): string {
  const lines = [
    `code: ${userCode}`,
    `link: ${verificationUriComplete}`,
    "",
    `Open the link, or enter the code at ${verificationUri}. The page must show this hub as`,
    `  edgeId ${hub.edgeId}`,
    `  key    ${hub.fingerprint}`,
  ];
  return `${[...(isTerminal ? [qrCode(verificationUriComplete)] : []), ...lines].join("\n")}\n`;
}

/**
 * A QR code for a terminal. The blocks are its light parts; explicit colours make it dark on light on every terminal, with the border that
 * readers need.
 */
export function qrCode(text: string): string {
  const drawn = renderUnicodeCompact(text, { ecc: "L", border: 2 });
  return drawn
    .split("\n")
    .map((line) => `\u001b[97;40m${line}\u001b[0m`)
    .join("\n");
}
