/** How the hub gets its token without anybody typing one (RFC 8628), and how it forgets its owner. */
export { codeText, qrCode, type ShownHub } from "./code-text.ts";
export { beginToForget, finishToForget } from "./forget.ts";
export { type HttpPairingOptions, httpPairingCloud } from "./http-pairing-cloud.ts";
export { DENIED_MS, Pairing, type PairingStatus, type ShownCode } from "./pairing.ts";
export type { Grant, PairingCloud } from "./pairing-cloud.ts";
export { PairingFile } from "./pairing-file.ts";
export { RefusedFile } from "./refused-file.ts";
