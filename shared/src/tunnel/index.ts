/** The tunnel between hub and cloud: frames, conversation and close reasons. */
export * from "./close-reasons.ts";
export type * from "./frame-types.ts";
export * as frames from "./frames.ts";
export { goodCommand, goodCommandAnswer, goodRecords } from "./frequent-frames.ts";
export * from "./memory-socket.ts";
export * from "./peer.ts";
export * from "./proof.ts";
export { JsonText, RPC_ERRORS, type RpcError } from "./rpc.ts";
export * from "./turn-cork.ts";
export * from "./version.ts";
