/**
 * Sends all messages of one turn of the event loop together: one system call here, and at the other end one wake-up and so one commit
 * for all of them.
 */

/** The stream under a WebSocket, such as Node's socket. */
export interface Corked {
  /** Number of `cork` calls without their `uncork`. */
  readonly writableCorked: number;
  cork(): void;
  uncork(): void;
}

/**
 * Call it before each send: data then waits for the end of this turn. The stream itself knows whether it is corked, so no state is kept
 * for a connection.
 */
export function corkForTurn(carrier: Corked): void {
  if (carrier.writableCorked > 0) return;
  carrier.cork();
  setImmediate(uncork, carrier);
}

function uncork(carrier: Corked): void {
  carrier.uncork();
}
