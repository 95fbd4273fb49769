/** Classifies a valid frame from a node. Pure, and its own file because it is one paragraph of the contract. */
import { type Body, ERROR_CODE, isRequest, type Message, mayCome } from "@porchlight/shared/wire";

/** A frame without damage. */
export type Heard = Exclude<Body, { kind: "damage" }>;

export type IncomingFrame =
  /** Has no effect, and does not even show that a node is alive. */
  | { readonly kind: "ignore" }
  | {
      readonly kind: "refuse";
      readonly seq: number;
      readonly code: number;
      readonly text: string;
      readonly counter: "unknownType" | "malformed";
    }
  | { readonly kind: "other_version"; readonly seq: number }
  | { readonly kind: "message"; readonly message: Message };

const IGNORE: IncomingFrame = { kind: "ignore" };

/**
 * DP4, "A valid frame with an invalid message".
 * @param isOwnPing whether the hub has an unanswered PING of that seq
 */
export function sortIncoming(body: Heard, isOwnPing: (seq: number) => boolean): IncomingFrame {
  switch (body.kind) {
    case "unknown_type":
      return {
        kind: "refuse",
        seq: body.seq,
        code: ERROR_CODE.unknownType,
        text: "unknown type",
        counter: "unknownType",
      };
    case "other_version":
      return body.type === "HELLO" ? { kind: "other_version", seq: body.seq } : IGNORE;
    case "malformed":
      if (!mayCome(body.type, "node") || !isRequest(body.type)) return IGNORE;
      return { kind: "refuse", seq: body.seq, code: ERROR_CODE.malformed, text: "malformed", counter: "malformed" };
    case "message":
      return isOwnOrForbidden(body.message, isOwnPing) ? IGNORE : body;
  }
}

/** A message that only the hub may send, or an echo of its own: it shows that the line echoes, not that a node is alive. */
function isOwnOrForbidden(message: Message, isOwnPing: (seq: number) => boolean): boolean {
  return !mayCome(message.type, "node") || (message.type === "PING" && isOwnPing(message.seq));
}
