/** Bounds the memory of the cloud's requests on the hub: open requests, over all connections, and refusals of further ones. */
import type { MessageSocket } from "@porchlight/shared/tunnel";

/** Maximum open requests of the cloud: commands, items of reads and others together, and the characters of their frames. */
export const OPEN_LIMITS = { count: 2_000, bytes: 4 * 1024 * 1024 };

/** Refusals waiting for the journal at which the socket is paused, and at which it is resumed. */
const REFUSALS = { pause: 256, resume: 128 };

export interface RequestSize {
  /** Commands and items in it, at least 1. */
  readonly count: number;
  readonly bytes: number;
}

/** Counts the open requests; one instance per hub: the requests of an ended connection take room until they end. */
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

  /** @param count number of refused commands */
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
