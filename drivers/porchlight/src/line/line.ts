/** One opened line as messages: decodes and counts input, and encodes output into frames. It knows no sessions. */
import type { Clock } from "@porchlight/shared/kernel";
import {
  type ByteLink,
  decodeBody,
  encodeFrame,
  encodeMessage,
  type FrameEvent,
  FrameReader,
  HUB_FRAME_LIMIT,
  type Message,
} from "@porchlight/shared/wire";
import { FrameWriter } from "./frame-writer.ts";
import type { Heard } from "./incoming.ts";
import { DAMAGE, type LineCounters } from "./line-counters.ts";
import type { FrameTap } from "./line-frames.ts";

export interface LineOwner {
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
