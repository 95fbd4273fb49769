/** Gives a hub or a program its token without typing (RFC 8628): pairings, and log-ins by code. */

export { Approvals } from "./approvals.ts";
export { CodeLogInApprovals, PairingCodeLimiter } from "./code-log-in-approvals.ts";
export { CodeLogIns } from "./code-log-ins.ts";
export { Pairings } from "./pairings.ts";
