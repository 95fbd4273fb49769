/**
 * Lets all that is sent in one turn of the loop leave together: one system call here, and at the other end one wake-up
 * and so one commit for all of it.
 */

/** The stream under a WebSocket, as Node's sockets are. */
export interface Corked {
  /** How often it is corked and not uncorked again. */
  readonly writableCorked: number;
  cork(): void;
  uncork(): void;
}

/** To be called before each send: what follows waits for the end of this turn. What is corked says so itself: nothing is kept of a connection. */
export function corkForTurn(carrier: Corked): void {
  if (carrier.writableCorked > 0) return;
  carrier.cork();
  setImmediate(uncork, carrier);
}

function uncork(carrier: Corked): void {
  carrier.uncork();
}
