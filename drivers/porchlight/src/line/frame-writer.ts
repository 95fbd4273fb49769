/** The one writer of a line: frames wait here in order, and each is asked again whether it may go right before it does. */
import type { ByteLink } from "@porchlight/shared/wire";
import type { LineCounters } from "./line-counters.ts";

export interface Outgoing {
  /** Called when the line takes it; undefined withdraws it. The last moment at which nothing has touched the hardware. */
  take(): Uint8Array | undefined;
  /** Its last byte has left. */
  left?(): void;
}

/** Frames that may wait for the line. A node that lets none through gets no more made for it. */
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

  /** Whether bytes are under way that have not left yet. */
  get isWriting(): boolean {
    return this.#writing;
  }

  /** Sends a frame that nothing can withdraw. */
  sendFrame(frame: Uint8Array): void {
    this.send({ take: () => frame });
  }

  /** Sends in order; what comes while the line is busy leaves together. False, and nothing is kept, when too much waits. */
  send(outgoing: Outgoing): boolean {
    if (this.#closed || this.#waiting.length >= MOST_WAITING) {
      this.#counters.notSent += 1;
      return false;
    }
    this.#waiting.push(outgoing);
    if (!this.#writing) this.#writeWaiting();
    return true;
  }

  /** Forgets what waits; what is sent from now on goes nowhere. */
  close(): void {
    this.#closed = true;
    this.#waiting = [];
  }

  #writeWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const frames: Uint8Array[] = [];
    const taken: Outgoing[] = [];
    // Set before asking: what an answer of `take` sends in its turn has to wait behind these.
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
      // The link tells its owner that it is down, and why; its session then ends everything that waits.
      () => this.close(),
    );
  }

  #goOn(): void {
    this.#writing = false;
    if (this.#waiting.length > 0) this.#writeWaiting();
  }
}
