/** The only writer of a line: frames wait here in order, and permission is checked right before each one leaves. */
import type { ByteLink } from "@porchlight/shared/wire";
import type { LineCounters } from "./line-counters.ts";

export interface Outgoing {
  /** Called when the line takes the frame; undefined withdraws it. Until this call nothing has touched the hardware. */
  take(): Uint8Array | undefined;
  /** The frame's last byte has left. */
  left?(): void;
}

/** Maximum number of waiting frames: for a node that accepts none, no more are made. */
const MOST_WAITING = 256;

export class FrameWriter {
  readonly #link: ByteLink;
  readonly #counters: LineCounters;
  #waiting: Outgoing[] = [];
  #writing = false;
  #closed = false;

  constructor(link: ByteLink, counters: LineCounters) {
    this.#link = link;
    this.#counters = counters;
  }

  /** Whether bytes are being written that have not left yet. */
  get isWriting(): boolean {
    return this.#writing;
  }

  /** Sends a frame that cannot be withdrawn. */
  sendFrame(frame: Uint8Array): void {
    this.send({ take: () => frame });
  }

  /** Sends in order; frames that come while the line is busy leave together. False, and nothing is kept, when too many wait. */
  send(outgoing: Outgoing): boolean {
    if (this.#closed || this.#waiting.length >= MOST_WAITING) {
      this.#counters.notSent += 1;
      return false;
    }
    this.#waiting.push(outgoing);
    if (!this.#writing) this.#writeWaiting();
    return true;
  }

  /** Drops waiting frames; later ones are ignored. */
  close(): void {
    this.#closed = true;
    this.#waiting = [];
  }

  #writeWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const frames: Uint8Array[] = [];
    const taken: Outgoing[] = [];
    // Set before `take` is called: frames that `take` itself sends must wait behind these.
    this.#writing = true;
    for (const outgoing of waiting) {
      const frame = outgoing.take();
      if (!frame) continue;
      frames.push(frame);
      taken.push(outgoing);
    }
    const [first] = frames;
    if (!first) {
      this.#goOn();
      return;
    }
    this.#counters.sent += frames.length;
    this.#link.write(frames.length === 1 ? first : Buffer.concat(frames)).then(
      () => {
        for (const outgoing of taken) outgoing.left?.();
        this.#goOn();
      },
      // The link reports to its owner that it is down, and why; its session then ends everything that waits.
      () => this.close(),
    );
  }

  #goOn(): void {
    this.#writing = false;
    if (this.#waiting.length > 0) this.#writeWaiting();
  }
}
