/** What has passed on the line of a board under test, and the tests that wait for a frame. */
import type { Clock } from "@porchlight/shared/kernel";
import { type DecodedFrame, Decoder } from "../lab/capture/decode.ts";

/** Frames that are kept; older ones are forgotten. */
const MOST_FRAMES = 10_000;

interface Waiting {
  readonly isWanted: (frame: DecodedFrame) => boolean;
  readonly found: (frame: DecodedFrame) => void;
}

export class FrameRecord {
  readonly #clock: Clock;
  readonly #since: number;
  readonly #decoder = new Decoder();
  readonly #waiting = new Set<Waiting>();
  #frames: DecodedFrame[] = [];
  /** How many there were in all. */
  count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  get frames(): readonly DecodedFrame[] {
    return this.#frames;
  }

  /** The frames after so many. */
  since(count: number): readonly DecodedFrame[] {
    return count >= this.count ? [] : this.#frames.slice(-(this.count - count));
  }

  passed(dir: "hub" | "node", bytes: Uint8Array): void {
    for (const frame of this.#decoder.push({ t: this.#clock.monotonic() - this.#since, dir, bytes })) {
      this.count += 1;
      this.#frames.push(frame);
      if (this.#frames.length > MOST_FRAMES) this.#frames = this.#frames.slice(-MOST_FRAMES / 2);
      for (const waiting of [...this.#waiting]) {
        if (!waiting.isWanted(frame)) continue;
        this.#waiting.delete(waiting);
        waiting.found(frame);
      }
    }
  }

  /** Gives what ends the wait. */
  wait(waiting: Waiting): () => void {
    this.#waiting.add(waiting);
    return () => void this.#waiting.delete(waiting);
  }
}
