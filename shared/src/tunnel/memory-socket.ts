/** Two ends of a socket in memory: what `test/world` and the unit tests put where a WebSocket would be. */

/** What happens to a message or a close on its way; the default hands it on in the next microtask. */
export type Carry = (deliver: () => void, bytes: number, from: "a" | "b") => void;

export interface SocketPair {
  readonly a: MessageSocket;
  readonly b: MessageSocket;
  /** That end hears the line break, without a close code, as when the other process dies or a cable is pulled. */
  breakFor(side: "a" | "b"): void;
}

const atOnce: Carry = (deliver) => queueMicrotask(deliver);

/** What a WebSocket reports when it ended without a close frame (RFC 6455, 7.4.1). */
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

/** The socket under a tunnel, as both ends see it: a WebSocket in earnest, two ends in memory under `test/world`. */

export interface SocketEvents {
  message(text: string): void;
  /** Once; nothing comes after it. */
  closed(code: number): void;
}

export interface MessageSocket {
  /** Names who is told. Called once, before anything arrives. */
  listen(events: SocketEvents): void;
  /** Hands one message over; `sent` is called when it has left for the network. */
  send(text: string, sent: () => void): void;
  /** Stops taking from the network until {@link resume}, so that the sender feels it. */
  pause(): void;
  resume(): void;
  /** Says goodbye with a code of close-reasons and ends. Safe to repeat. */
  close(code: number, reason: string): void;
}
