/** How a hub gets its token without anybody typing one (RFC 8628). */
export { Approvals } from "./approvals.ts";
export { Guesses } from "./guesses.ts";
export { Pairings } from "./pairings.ts";
