/** What two messages are compared by: all that they say, but neither counters nor identities of a run, nor the wording of an ERROR. */
import type { Value } from "@porchlight/shared/model";
import type { Message } from "@porchlight/shared/wire";

/** The same text for messages that mean the same. */
export function meaningOf(message: Message): string {
  return canonical(comparable(message));
}

/** Whether they are about the same thing, so that one can stand where the other was expected and differ from it. */
export function isAboutTheSame(one: Message, other: Message): boolean {
  return one.type === other.type && about(one) === about(other);
}

function about(message: Message): string {
  switch (message.type) {
    case "DESCRIBE":
      return canonical([message.device, message.part]);
    case "READ":
    case "WRITE":
    case "REPORT":
      return canonical([message.device, message.service, message.index, message.property]);
    case "IDENTIFY":
      return canonical([message.device]);
    default:
      return "";
  }
}

function comparable(message: Message): unknown {
  switch (message.type) {
    case "HELLO":
      return { ...message, seq: 0, info: { ...message.info, boot: message.info.boot === 0 ? 0 : 1 } };
    case "HELLO_ACK":
      return { type: message.type, v: message.info.v };
    case "ERROR":
      return { type: message.type, code: message.code };
    default:
      return { ...message, seq: 0 };
  }
}

/** JSON with the keys of every map in one order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: Value) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
