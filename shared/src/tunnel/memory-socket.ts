/** A pair of connected sockets in memory: `test/world` and the unit tests use it in place of a WebSocket. */

/** Carries a message or a close to the other end; the default delivers it in the next microtask. */
export type Carry = (deliver: () => void, bytes: number, from: "a" | "b") => void;

export interface SocketPair {
  readonly a: MessageSocket;
  readonly b: MessageSocket;
  /** Breaks the line for that end, without a close code, as when the other process dies or a cable is pulled. */
  breakFor(side: "a" | "b"): void;
}

const atOnce: Carry = (deliver) => queueMicrotask(deliver);

/** Close code of a WebSocket that ended without a close frame (RFC 6455, 7.4.1). */
const LOST = 1006;

export function socketPair(carry: Carry = atOnce): SocketPair {
  const a = new MemoryEnd("a", carry);
  const b = new MemoryEnd("b", carry);
  a.other = b;
  b.other = a;
  return { a, b, breakFor: (side) => (side === "a" ? a : b).hear(LOST) };
}

class MemoryEnd implements MessageSocket {
  other: MemoryEnd | undefined;
  readonly #side: "a" | "b";
  readonly #carry: Carry;
  #events: SocketEvents | undefined;
  #early: string[] = [];
  #closed = false;
  #paused = false;

  constructor(side: "a" | "b", carry: Carry) {
    this.#side = side;
    this.#carry = carry;
  }

  listen(events: SocketEvents): void {
    this.#events = events;
    this.#release();
  }

  send(text: string, sent: () => void): void {
    if (this.#closed) return;
    this.#carry(
      () => {
        sent();
        this.other?.receive(text);
      },
      text.length,
      this.#side,
    );
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#release();
  }

  close(code: number): void {
    if (this.#closed) return;
    this.#carry(() => this.other?.hear(code), 0, this.#side);
    this.hear(code);
  }

  receive(text: string): void {
    if (this.#closed) return;
    this.#early.push(text);
    this.#release();
  }

  hear(code: number): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#events?.closed(code);
  }

  #release(): void {
    while (this.#events && !this.#paused && !this.#closed) {
      const text = this.#early.shift();
      if (text === undefined) return;
      this.#events.message(text);
    }
  }
}

/** Events of the socket under a tunnel: a WebSocket in production, an end in memory under `test/world`. */
export interface SocketEvents {
  message(text: string): void;
  /** Called once, after all other events. */
  closed(code: number): void;
}

export interface MessageSocket {
  /** Registers the receiver of events. Called once, before anything arrives. */
  listen(events: SocketEvents): void;
  /** Sends one message; calls `sent` when it has left for the network. */
  send(text: string, sent: () => void): void;
  /** Stops reading from the network until {@link resume}, so that back-pressure reaches the sender. */
  pause(): void;
  resume(): void;
  /** Closes the socket with a code of close-reasons. Safe to repeat. */
  close(code: number, reason: string): void;
}
