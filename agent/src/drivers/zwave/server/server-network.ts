/** What the driver needs of the network: a WebSocket to the server. A test has another one in memory. */

export interface ServerSocketEvents {
  readonly text: (text: string) => void;
  /** The server answers a ping. */
  readonly pong: () => void;
  /** Called once, when the socket is gone; not after `close`. */
  readonly closed: (why: string) => void;
}

/** A WebSocket that is open. */
export interface ServerSocket {
  /** Has no effect once the socket is gone. */
  send(text: string): void;
  ping(): void;
  /** At once, without a closing handshake. Can be called twice. */
  close(): void;
}

/** Opens the server's WebSocket. @throws ServerNotReached, NoZwaveServer, the signal's reason */
export type OpenServer = (events: ServerSocketEvents, signal: AbortSignal) => Promise<ServerSocket>;

/** Nothing answers at that address. */
export class ServerNotReached extends Error {}

/** Something answers there, and it is not zwave-js-server. */
export class NoZwaveServer extends Error {}
