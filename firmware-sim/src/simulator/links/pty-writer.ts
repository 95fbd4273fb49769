/**
 * Writes to the master of a pseudo-terminal. Node.js's own stream writes in a loop until everything is written: once the kernel's
 * buffer is full and no hub reads, the whole process would hang.
 */
import { writeSync } from "node:fs";
import { type Clock, systemClock, type Timer } from "@porchlight/shared/kernel";

/** Bytes that may wait for a hub that does not read; further ones are lost, as on a wire. */
const BACKLOG = 16 * 1024;
/** Interval at which to retry a full buffer, ms. */
const RETRY_MS = 20;

interface Waiting {
  bytes: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (failure: unknown) => void;
}

export class PtyWriter {
  readonly #fd: number;
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #retry: Timer | undefined;
  #isOver = false;

  /** @param fd of the master; it must not block */
  constructor(fd: number, clock: Clock = systemClock) {
    this.#fd = fd;
    this.#clock = clock;
  }

  /** Resolves when the bytes are written, or lost because too many wait. Rejects when the line is closed. */
  write(bytes: Uint8Array): Promise<void> {
    if (this.#isOver) return Promise.reject(new Error("unplugged"));
    if (this.#waiting.reduce((sum, { bytes: { length } }) => sum + length, 0) > BACKLOG) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes, resolve, reject });
      if (!this.#retry) this.#flush();
    });
  }

  /** Stops writing. Safe to repeat. */
  end(): void {
    this.#isOver = true;
    this.#retry?.cancel();
    for (const { reject } of this.#waiting.splice(0)) reject(new Error("unplugged"));
  }

  #flush(): void {
    this.#retry = undefined;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const written = this.#put(next);
      if (written === undefined) return;
      next.bytes = next.bytes.subarray(written);
      if (next.bytes.length > 0) continue;
      this.#waiting.shift();
      next.resolve();
    }
  }

  /** Number of bytes that the kernel accepted; undefined when it accepts none now, or never. */
  #put({ bytes, reject }: Waiting): number | undefined {
    try {
      return writeSync(this.#fd, bytes);
    } catch (failure) {
      if (isFull(failure))
        this.#retry = this.#clock.timer("a terminal that nobody reads", RETRY_MS, () => this.#flush());
      else {
        this.#waiting.shift();
        reject(failure);
        this.#flush();
      }
      return undefined;
    }
  }
}

function isFull(failure: unknown): boolean {
  return failure instanceof Error && "code" in failure && failure.code === "EAGAIN";
}
