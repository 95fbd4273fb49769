/** One opened line as messages: decodes, counts and classifies input, and encodes output into frames. */
import type { Clock } from "@porchlight/shared/kernel";
import {
  type Body,
  type ByteLink,
  decodeBody,
  ERROR_CODE,
  encodeFrame,
  encodeMessage,
  type FrameEvent,
  FrameReader,
  HUB_FRAME_LIMIT,
  isRequest,
  type Message,
  mayCome,
} from "@porchlight/shared/wire";
import { FrameWriter } from "./frame-writer.ts";
import { DAMAGE, type LineCounters } from "./line-counters.ts";
import type { FrameTap } from "./line-frames.ts";

interface LineOwner {
  readonly heard: (body: Heard) => void;
  readonly closed: (reason: string) => void;
}

export class Line {
  readonly writer: FrameWriter;
  readonly #link: ByteLink;
  readonly #clock: Clock;
  readonly #counters: LineCounters;
  /** Notified of every frame; absent while none is kept. */
  readonly #tap: FrameTap | undefined;
  readonly #reader = new FrameReader(HUB_FRAME_LIMIT);
  #heardByteAt = Number.NEGATIVE_INFINITY;
  #heardFrameAt = Number.NEGATIVE_INFINITY;
  #isOpen = true;

  constructor(link: ByteLink, clock: Clock, counters: LineCounters, tap?: FrameTap) {
    this.#link = link;
    this.#clock = clock;
    this.#counters = counters;
    this.#tap = tap;
    this.writer = new FrameWriter(link, counters);
  }

  /** When the last byte arrived, monotonic ms. */
  get heardByteAt(): number {
    return this.#heardByteAt;
  }

  /** When the last valid frame of the node arrived, monotonic ms. */
  get heardFrameAt(): number {
    return this.#heardFrameAt;
  }

  /** The current frame was the node's own: the node is alive. */
  nodeLives(): void {
    this.#heardFrameAt = this.#heardByteAt;
  }

  /** Starts to receive. Damage is counted here and not passed on. */
  open(owner: LineOwner): void {
    this.#link.listen(
      (bytes) => {
        if (this.#isOpen) this.#take(bytes, owner);
      },
      (reason) => {
        this.close();
        owner.closed(reason);
      },
    );
  }

  /** Sends a message of the hub that cannot be withdrawn. */
  send(message: Message): void {
    const frame = encodeFrame(encodeMessage(message));
    this.#tap?.answered(message, frame);
    this.writer.sendFrame(frame);
  }

  /** Sends a request that gets its seq when the line takes it. */
  ask(make: () => Message): void {
    this.writer.send({ take: () => encodeFrame(encodeMessage(make())) });
  }

  /** Closes the line. It can be called repeatedly. */
  close(): void {
    this.#isOpen = false;
    this.writer.close();
    this.#link.close();
  }

  #take(bytes: Uint8Array, owner: LineOwner): void {
    this.#heardByteAt = this.#clock.monotonic();
    for (const event of this.#reader.push(bytes)) if (this.#isOpen) this.#frame(event, owner);
  }

  #frame(event: FrameEvent, owner: LineOwner): void {
    if (event.kind === "damage") {
      this.#counters[DAMAGE[event.reason]] += 1;
      this.#tap?.damaged(event.reason);
      return;
    }
    this.#counters.frames += 1;
    const body = decodeBody(event.body);
    if (body.kind === "damage") {
      this.#counters[DAMAGE[body.reason]] += 1;
      this.#tap?.damaged(body.reason);
      this.#heardFrameAt = this.#heardByteAt;
      return;
    }
    if (body.kind === "message") this.#tap?.came(body.message, event.body);
    owner.heard(body);
  }
}

/** A frame without damage. */
export type Heard = Exclude<Body, { kind: "damage" }>;

type IncomingFrame =
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
