/** A socket that can be made deaf and dumb on the spot, as a killed process's is: nothing of it is sent or heard any more. */
import type { MessageSocket, SocketEvents } from "@porchlight/shared/tunnel";

export class SeverableSocket implements MessageSocket {
  readonly #socket: MessageSocket;
  readonly #closed = Promise.withResolvers<void>();
  #severed = false;

  constructor(socket: MessageSocket) {
    this.#socket = socket;
  }

  /** Settles when the socket has closed on both ends, or is severed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** No goodbye: the other end finds out as it would of a dead process. */
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
    // Not at once: a socket tells what it has already, and who listens may not be made yet.
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
