/** Several nodes over one database: their notifications and requests to each other. */

export { type Calls, errorOfNode, NoAnswer, NoResponder, NotHere, nodeRefusal, nodeRefusalOf } from "./calls.ts";
export type { Followed } from "./follower.ts";
export { type InvalidationSink, NO_INVALIDATIONS } from "./follower.ts";
export { NO_OTHERS, type Others, ThisNode } from "./node.ts";
export type { Note, RevocationMessage } from "./stored-revocations.ts";
export { dropOldRevocations, storeRevocation } from "./stored-revocations.ts";
