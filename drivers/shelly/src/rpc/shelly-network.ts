/** What the driver needs of the network: an introduction, a socket for its channel. A test has another one in memory. */
import type { TextSocket, TextSocketEvents } from "@porchlight/driver-kit/links";

export interface ShellyEndpoint {
  /** Name or address. */
  readonly host: string;
  readonly port: number;
}

export interface ShellyNetwork {
  /** What a device says of itself to everybody (`GET /shelly`), as JSON. @throws NotReached, NoShelly, the signal's reason */
  introduce(endpoint: ShellyEndpoint, signal: AbortSignal): Promise<unknown>;
  /** Opens a channel (`/rpc`). @throws NotReached, TooManyConnections, the signal's reason */
  open(endpoint: ShellyEndpoint, events: TextSocketEvents, signal: AbortSignal): Promise<TextSocket>;
}

/** Nobody answers at that address. */
export class NotReached extends Error {}

/** Something else answers there. */
export class NoShelly extends Error {}

/** The device has no channel left: 6 that are not its own. */
export class TooManyConnections extends Error {}
