/** A request as the bytes of its frame, or why it has none: the hub itself rejects what the node could not take. */
import { isNamed } from "@porchlight/shared/kernel";
import { encodeFrame, encodeMessage, frameSize, type Message } from "@porchlight/shared/wire";

export type RequestFrame =
  | { readonly kind: "frame"; readonly bytes: Uint8Array }
  | { readonly kind: "rejected"; readonly detail: string };

/**
 * DP5, "Values".
 * @param max the largest frame that the node takes, bytes
 */
export function requestFrame(message: Message, max: number): RequestFrame {
  try {
    const body = encodeMessage(message);
    if (frameSize(body) <= max) return { kind: "frame", bytes: encodeFrame(body) };
    return { kind: "rejected", detail: `The request is larger than the ${max} bytes that the device takes.` };
  } catch (error) {
    if (isNamed(error, "Device Rejected")) return { kind: "rejected", detail: error.message };
    throw error;
  }
}
