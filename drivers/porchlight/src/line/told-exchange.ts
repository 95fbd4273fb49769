/** Formats an exchange for people: its frames in hex and in words, with times of the wall clock. Pure, and only done on request. */
import {
  type KeptExchange,
  type LineFrame,
  LONGEST_FRAME_WORDS,
  MOST_FRAME_BYTES,
  type Value,
} from "@porchlight/shared/model";
import {
  decodeBody,
  encodeFrame,
  errorVerdict,
  FrameReader,
  HUB_FRAME_LIMIT,
  type Message,
  type WireAddress,
} from "@porchlight/shared/wire";
import type { Exchange, KeptFrame } from "./line-frames.ts";

/** @param offset from the monotonic to the wall clock, ms */
export function toldExchange({ kind, command, frames }: Exchange, offset: number): KeptExchange {
  const messages = frames.map(messageOf);
  const said = messages.findLast((message, at) => frames[at]?.kind === "received" && message && "value" in message);
  const value: Value | undefined = said && "value" in said ? said.value : undefined;
  return {
    kind,
    ...(command !== undefined && { command }),
    ...(value !== undefined && { value }),
    frames: frames.map((frame, at) => toldFrame(frame, messages[at], offset)),
  };
}

function toldFrame(frame: KeptFrame, message: Message | undefined, offset: number): LineFrame {
  const at = frame.at + offset;
  const direction = frame.kind === "sent" ? "to_device" : "from_device";
  if (frame.kind === "damaged") {
    const says = `a damaged frame (${frame.reason.replaceAll("_", " ")}), which was dropped`;
    return { at, direction, bytes: 0, hex: "", says };
  }
  const bytes = frame.kind === "sent" ? frame.bytes : encodeFrame(frame.bytes);
  const says = message ? wordsOf(message) : "a frame that cannot be read";
  const shown = says.length > LONGEST_FRAME_WORDS ? `${says.slice(0, LONGEST_FRAME_WORDS - 1)}…` : says;
  const hex = Buffer.from(bytes.subarray(0, MOST_FRAME_BYTES)).toString("hex");
  return { at, direction, bytes: bytes.length, hex, says: shown };
}

function messageOf(frame: KeptFrame): Message | undefined {
  if (frame.kind === "damaged") return undefined;
  const body = frame.kind === "received" ? frame.bytes : bodyOf(frame.bytes);
  const decoded = body && decodeBody(body);
  return decoded?.kind === "message" ? decoded.message : undefined;
}

function bodyOf(bytes: Uint8Array): Uint8Array | undefined {
  const [event] = new FrameReader(HUB_FRAME_LIMIT).push(bytes);
  return event?.kind === "frame" ? event.body : undefined;
}

/** Such as `WRITE 4711: device 0, Switch:0.on = true`. */
function wordsOf(message: Message): string {
  const head = `${message.type} ${message.seq}`;
  switch (message.type) {
    case "READ":
      return `${head}: ${placeOf(message)}`;
    case "WRITE":
    case "REPORT":
      return `${head}: ${placeOf(message)} = ${JSON.stringify(message.value)}`;
    case "VALUE":
    case "WRITTEN":
      return `${head}: ${JSON.stringify(message.value)}`;
    case "ERROR": {
      const text = message.text === "" ? "" : `: ${message.text}`;
      return `${head}: ${message.code} (${errorVerdict(message.code).says})${text}`;
    }
    case "IDENTIFY":
      return `${head}: device ${message.device}, ${message.seconds} s`;
    default:
      return head;
  }
}

function placeOf({ device, service, index, property }: WireAddress): string {
  return `device ${device}, ${service}:${index}.${property}`;
}
