/** The front of pairing: how a hub gets its token without manual input (RFC 8628), and how it forgets its owner. */

export { beginToForget, finishToForget, RefusedFile } from "./forget.ts";
export type { Grant, PairingCloud } from "./http-pairing-cloud.ts";
export { type HttpPairingOptions, httpPairingCloud } from "./http-pairing-cloud.ts";
export {
  codeText,
  DENIED_MS,
  Pairing,
  PairingFile,
  type PairingStatus,
  qrCode,
  type ShownCode,
  type ShownHub,
} from "./pairing.ts";
