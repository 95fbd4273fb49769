/** Bounds the memory that requests of the cloud take on the hub: those that are open, over all connections, and the refusals of the others. */
import type { MessageSocket } from "@porchlight/shared/tunnel";

/** Most that the cloud has open on a hub: commands, items of reads and other requests together, and the characters of their frames. */
export const OPEN_LIMITS = { count: 2_000, bytes: 4 * 1024 * 1024 };

/** Refusals that wait for the journal, from which on nothing is read from the socket, and down to which they must be before it is read again. */
const REFUSALS = { pause: 256, resume: 128 };

export interface RequestSize {
  /** Commands and items in it, at least 1. */
  readonly count: number;
  readonly bytes: number;
}

/** One for the hub: what a connection has left behind takes its room until it has ended. */
export class OpenRequests {
  #count = 0;
  #bytes = 0;

  hasRoom({ count, bytes }: RequestSize): boolean {
    return this.#count + count <= OPEN_LIMITS.count && this.#bytes + bytes <= OPEN_LIMITS.bytes;
  }

  /** Counts a request as open until its work has ended. */
  async hold<T>({ count, bytes }: RequestSize, work: Promise<T>): Promise<T> {
    this.#count += count;
    this.#bytes += bytes;
    try {
      return await work;
    } finally {
      this.#count -= count;
      this.#bytes -= bytes;
    }
  }
}

/** The refusals of one connection: while many wait for the journal, its socket is not read, so that the cloud waits too. */
export class Refusals {
  readonly #socket: Pick<MessageSocket, "pause" | "resume">;
  #waiting = 0;
  #isPaused = false;

  constructor(socket: Pick<MessageSocket, "pause" | "resume">) {
    this.#socket = socket;
  }

  /** @param count commands that are refused */
  async hold<T>(count: number, refusing: Promise<T>): Promise<T> {
    this.#waiting += count;
    if (!this.#isPaused && this.#waiting >= REFUSALS.pause) {
      this.#isPaused = true;
      this.#socket.pause();
    }
    try {
      return await refusing;
    } finally {
      this.#waiting -= count;
      if (this.#isPaused && this.#waiting <= REFUSALS.resume) {
        this.#isPaused = false;
        this.#socket.resume();
      }
    }
  }
}
