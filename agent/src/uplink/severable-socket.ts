/** A socket that can be severed at once, as that of a killed process: from then on it sends and delivers nothing. */
import type { MessageSocket, SocketEvents } from "@porchlight/shared/tunnel";

export class SeverableSocket implements MessageSocket {
  readonly #socket: MessageSocket;
  readonly #closed = Promise.withResolvers<void>();
  #severed = false;

  constructor(socket: MessageSocket) {
    this.#socket = socket;
  }

  /** Resolves when both ends have closed the socket, or it is severed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Severs without a close: the other end detects it as it would a dead process. */
  sever(): void {
    this.#severed = true;
    this.#closed.resolve();
  }

  listen(events: SocketEvents): void {
    const message = (text: string) => {
      if (!this.#severed) events.message(text);
    };
    const closed = (code: number) => {
      this.#closed.resolve();
      if (!this.#severed) events.closed(code);
    };
    // Deferred: a socket delivers buffered messages at once, and the listener may not be constructed yet.
    queueMicrotask(() => this.#socket.listen({ message, closed }));
  }

  send(text: string, sent: () => void): void {
    if (!this.#severed) this.#socket.send(text, sent);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(code: number, reason: string): void {
    if (!this.#severed) this.#socket.close(code, reason);
  }
}
