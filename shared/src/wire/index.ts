/**
 * The device protocol between hub and device: bytes, frames, messages, descriptions. The contract is
 * `docs/contract/device-protocol.md`.
 */
export * from "./byte-link.ts";
export * from "./cbor-decode.ts";
export * from "./cbor-encode.ts";
export * from "./description-decode.ts";
export * from "./description-encode.ts";
export * from "./description-keys.ts";
export * from "./error-codes.ts";
export * from "./framing.ts";
export * from "./limits.ts";
export * from "./message-types.ts";
export * from "./messages.ts";
