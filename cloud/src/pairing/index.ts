/** How a hub gets its token without anybody typing one (RFC 8628). */
export { Approvals } from "./approvals.ts";
export { PairingCodeLimiter } from "./pairing-code-limiter.ts";
export { Pairings } from "./pairings.ts";
