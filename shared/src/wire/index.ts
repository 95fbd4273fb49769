/**
 * The device protocol between hub and device: bytes, frames, messages, descriptions. The contract is
 * `docs/contract/device-protocol.md`.
 */

export * from "./cbor.ts";
export * from "./description.ts";
export * from "./framing.ts";
export * from "./limits.ts";
export * from "./message-types.ts";
export * from "./messages.ts";
