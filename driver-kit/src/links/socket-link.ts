/** A connected socket, TCP or TLS on top of it, as a line of bytes: shared by both kinds of network line. */
import type { Socket } from "node:net";
import type { ByteLink } from "@porchlight/shared/wire";

export class SocketLink implements ByteLink {
  readonly #socket: Socket;
  readonly #writes = new Set<(reason: Error) => void>();
  #onClosed: ((reason: string) => void) | undefined;
  /** Why the line is down. */
  #down: string | undefined;

  /** Takes over a socket that is connected. */
  constructor(socket: Socket) {
    this.#socket = socket;
    // Frames are small, and a command waits for its answer: waiting for more bytes gains nothing.
    socket.setNoDelay(true);
    socket.on("error", (error) => this.#goDown(error.message));
    socket.on("end", () => this.#goDown("closed by the other side"));
    socket.on("close", () => this.#goDown("closed"));
  }

  listen(onBytes: (bytes: Uint8Array) => void, onClosed: (reason: string) => void): void {
    this.#onClosed = onClosed;
    if (this.#down === undefined) this.#socket.on("data", onBytes);
    else onClosed(this.#down);
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#down !== undefined) return reject(new Error(this.#down));
      this.#writes.add(reject);
      this.#socket.write(bytes, (error) => {
        if (!this.#writes.delete(reject)) return;
        if (error) reject(error);
        else resolve();
      });
    });
  }

  close(): void {
    this.#goDown("closed");
  }

  #goDown(reason: string): void {
    if (this.#down !== undefined) return;
    this.#down = reason;
    // Data that is already written still leaves, such as an ERROR frame with the reason; a peer that does not read it is not waited for.
    this.#socket.end();
    this.#socket.destroySoon();
    if (this.#writes.size > 0) this.#socket.destroy();
    const writes = [...this.#writes];
    this.#writes.clear();
    for (const reject of writes) reject(new Error(reason));
    this.#onClosed?.(reason);
  }
}
