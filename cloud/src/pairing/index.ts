/** How a hub or a program gets its token without anybody typing one (RFC 8628): pairings, and log-ins by code. */

export { Approvals } from "./approvals.ts";
export { CodeLogInApprovals, PairingCodeLimiter } from "./code-log-in-approvals.ts";
export { CodeLogIns } from "./code-log-ins.ts";
export { Pairings } from "./pairings.ts";
