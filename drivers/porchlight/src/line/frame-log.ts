/**
 * The frames of the newest values and commands of each property, in memory, so that people can look up what went over the line. One log
 * for all lines, because they share its memory.
 *
 * Invariants: it keeps at most {@link MOST_EXCHANGES} exchanges of a property, and in all no more bytes than its limit; the oldest
 * exchange goes first. No handshakes, descriptions or PINGs are kept: a property with many reports evicts its own exchanges, and those of
 * others only when there is no room.
 */
import type { Clock } from "@porchlight/shared/kernel";
import {
  addressKey,
  type KeptExchange,
  type KeptFrames,
  type LineFrame,
  LONGEST_FRAME_WORDS,
  MOST_EXCHANGES,
  MOST_FRAME_BYTES,
  MOST_FRAMES_JSON,
  type PropertyAddress,
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
import { type Exchange, type FrameTap, type KeptFrame, LineFrames, type LogPlace } from "./line-frames.ts";

/** Measured size of an exchange and of a frame, in addition to the bytes of the frame. */
const EXCHANGE_BYTES = 700;
const FRAME_BYTES = 280;

interface FrameTarget extends PropertyAddress {
  readonly device: string;
}

export class FrameLog {
  /** Monotonic ms: start of the log. */
  readonly #since: number;
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #mostBytes: number;
  /** The newest exchange last. */
  readonly #byProperty = new Map<string, Exchange[]>();
  /** The oldest exchange of all; the others follow by their places. */
  #oldest: Exchange | undefined;
  #newest: Exchange | undefined;
  #bytes = 0;

  constructor(clock: Pick<Clock, "monotonic">, mostBytes: number) {
    this.#clock = clock;
    this.#mostBytes = mostBytes;
    this.#since = clock.monotonic();
  }

  /** Size of the log, bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A tap for one more line, valid each time the line opens. */
  tap(): FrameTap {
    return new LineFrames(this.#clock, (exchange, frame) => this.#keep(exchange, frame));
  }

  /**
   * The frames of a property; of reports only those that the hub has acknowledged.
   * @param now wall clock, ms: the hub's time, which can differ from the system's
   */
  of(target: FrameTarget, now: number): KeptFrames {
    const offset = now - this.#clock.monotonic();
    const exchanges: KeptExchange[] = [];
    let size = 0;
    for (const exchange of this.#byProperty.get(keyOf(target.device, target))?.toReversed() ?? []) {
      if (exchange.kind === "report" && !exchange.isAnswered) continue;
      const reported = exchangeInWords(exchange, offset);
      size += Buffer.byteLength(JSON.stringify(reported));
      if (size > MOST_FRAMES_JSON) break;
      exchanges.push(reported);
    }
    return { kind: "kept", since: this.#since + offset, exchanges };
  }

  #keep(exchange: Exchange, frame: KeptFrame): void {
    const place = exchange.place ?? this.#enter(exchange);
    exchange.frames.push(frame);
    const taken = FRAME_BYTES + (frame.kind === "damaged" ? 0 : frame.bytes.length);
    place.bytes += taken;
    this.#bytes += taken;
    if (this.#bytes > this.#mostBytes) this.#makeRoom();
  }

  #enter(exchange: Exchange): LogPlace {
    const siblings = this.#siblingsOf(exchange);
    const place: LogPlace = { siblings, bytes: EXCHANGE_BYTES, older: this.#newest, newer: undefined };
    exchange.place = place;
    if (this.#newest?.place) this.#newest.place.newer = exchange;
    else this.#oldest = exchange;
    this.#newest = exchange;
    this.#bytes += EXCHANGE_BYTES;
    siblings.push(exchange);
    const [oldest] = siblings;
    if (oldest && siblings.length > MOST_EXCHANGES) this.#forget(oldest);
    return place;
  }

  #siblingsOf({ device, address }: Exchange): Exchange[] {
    const key = keyOf(device, address);
    const known = this.#byProperty.get(key);
    if (known) return known;
    const siblings: Exchange[] = [];
    this.#byProperty.set(key, siblings);
    return siblings;
  }

  /** Frees slightly more than needed, so that it runs seldom. */
  #makeRoom(): void {
    while (this.#oldest && this.#bytes > this.#mostBytes * 0.9) this.#forget(this.#oldest);
  }

  /** Removes the oldest exchange of its property. */
  #forget(exchange: Exchange): void {
    const { place, device, address } = exchange;
    if (!place) return;
    const { older, newer, siblings } = place;
    if (older?.place) older.place.newer = newer;
    else this.#oldest = newer;
    if (newer?.place) newer.place.older = older;
    else this.#newest = older;
    siblings.shift();
    if (siblings.length === 0) this.#byProperty.delete(keyOf(device, address));
    this.#bytes -= place.bytes;
    exchange.place = undefined;
    // Its line may still refer to it.
    exchange.isGone = true;
    exchange.frames.length = 0;
  }
}

function keyOf(device: string, address: PropertyAddress): string {
  return `${device} ${addressKey(address)}`;
}

/** @param offset from the monotonic to the wall clock, ms */
function exchangeInWords({ kind, command, frames }: Exchange, offset: number): KeptExchange {
  const messages = frames.map(messageOf);
  const stated = messages.findLast((message, at) => frames[at]?.kind === "received" && message && "value" in message);
  const value: Value | undefined = stated && "value" in stated ? stated.value : undefined;
  return {
    kind,
    ...(command !== undefined && { command }),
    ...(value !== undefined && { value }),
    frames: frames.map((frame, at) => frameInWords(frame, messages[at], offset)),
  };
}

function frameInWords(frame: KeptFrame, message: Message | undefined, offset: number): LineFrame {
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
