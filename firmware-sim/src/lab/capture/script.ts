/**
 * Turns a capture into a script for one of its sides: what to send, what to expect, and which answers belong to which requests. Timers
 * and repetitions are left out.
 */

import type { Value } from "@porchlight/shared/model";
import { isRequest, type Message, type MessageName } from "@porchlight/shared/wire";
import type { Sender } from "./capture.ts";
import type { DecodedFrame } from "./decode.ts";

export interface CaptureStep {
  readonly kind: "say" | "hear";
  /** ms since the capture began. */
  readonly t: number;
  /** The bytes as transmitted. */
  readonly bytes: Uint8Array;
  /** Undefined for damage, which is sent unchanged. */
  readonly message: Message | undefined;
  /** Index of the step that this one answers. */
  readonly answers?: number | undefined;
}

/**
 * Creates the script. It omits everything that depends on timing or a bad line and so differs between runs: WHO and PING of the other
 * side, our PONGs, repetitions of unanswered requests, unexpected answers, damage of the other side.
 * @param me the played side
 */
export function scriptOf(frames: readonly DecodedFrame[], me: Sender): readonly CaptureStep[] {
  const steps: CaptureStep[] = [];
  /** Requests of either side, by sender and slot. */
  const open = new Map<string, { readonly at: number; readonly key: string; isAnswered: boolean }>();
  for (const { dir, t = 0, bytes, message, damage } of frames) {
    const isMine = dir === me;
    if (!message || (damage && isMine)) {
      if (isMine) steps.push({ kind: "say", t, bytes, message: undefined });
      continue;
    }
    if (damage || isLeftOut(message.type, isMine)) continue;
    const kind = isMine ? "say" : "hear";
    if (isRequest(message.type)) {
      const slot = `${dir} ${slotOf(message)}`;
      const key = message.type === "HELLO" ? meaningOf(message) + message.info.boot : meaningOf(message);
      const known = open.get(slot);
      if (message.type === "WHO" && open.get("node hello")?.isAnswered) open.delete("node hello");
      const asked = open.get("hub who");
      if (message.type === "HELLO" && asked) asked.isAnswered = true;
      // Our repetition after its answer was intentional; theirs only means that our answer was lost.
      const isOnPurpose = known?.isAnswered === true && isMine && message.type !== "HELLO";
      if (known?.key === key && !isOnPurpose) continue;
      open.set(slot, { at: steps.length, key, isAnswered: false });
      steps.push({ kind, t, bytes, message });
      continue;
    }
    const request = open.get(`${dir === "hub" ? "node" : "hub"} ${slotOf(message)}`);
    if (!request || request.isAnswered) {
      if (isMine && !request) steps.push({ kind, t, bytes, message });
      continue;
    }
    request.isAnswered = true;
    steps.push({ kind, t, bytes, message, answers: request.at });
  }
  return steps;
}

/** The request that an answer belongs to: for HELLO any (M9), for others the one with its seq. */
export function slotOf(message: Message): string {
  if (message.type === "HELLO" || message.type === "HELLO_ACK") return "hello";
  return message.type === "WHO" ? "who" : String(message.seq);
}

function isLeftOut(type: MessageName, isMine: boolean): boolean {
  return isMine ? type === "PONG" : type === "WHO" || type === "PING";
}

/** A text that is equal for equivalent messages: their content without counters, identities of a run, and the wording of an ERROR. */
export function meaningOf(message: Message): string {
  return canonical(comparable(message));
}

/** Whether two messages have the same subject, so that one can take the place of the other and be reported as a difference. */
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

/** JSON with the keys of every map in a fixed order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: Value) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
