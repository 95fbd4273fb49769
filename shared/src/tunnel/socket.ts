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
