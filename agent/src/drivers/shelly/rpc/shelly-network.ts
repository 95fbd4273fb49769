/** What the driver needs of the network: an introduction, a socket for its channel. A test has another one in memory. */

export interface ShellyEndpoint {
  /** Name or address. */
  readonly host: string;
  readonly port: number;
}

export interface SocketEvents {
  readonly text: (text: string) => void;
  /** The other end answers a ping. */
  readonly pong: () => void;
  /** Called once, when the socket is gone; not after `close`. */
  readonly closed: (why: string) => void;
}

/** A WebSocket that is open. */
export interface RpcSocket {
  /** Has no effect once the socket is gone. */
  send(text: string): void;
  ping(): void;
  /** At once, without a goodbye. Safe to repeat. */
  close(): void;
}

export interface ShellyNetwork {
  /** What a device says of itself to everybody (`GET /shelly`), as JSON. @throws NotReached, NoShelly, the signal's reason */
  introduce(endpoint: ShellyEndpoint, signal: AbortSignal): Promise<unknown>;
  /** Opens a channel (`/rpc`). @throws NotReached, TooManyConnections, the signal's reason */
  open(endpoint: ShellyEndpoint, events: SocketEvents, signal: AbortSignal): Promise<RpcSocket>;
}

/** Nobody answers at that address. */
export class NotReached extends Error {}

/** Something else answers there. */
export class NoShelly extends Error {}

/** The device has no channel left: 6 that are not its own. */
export class TooManyConnections extends Error {}
