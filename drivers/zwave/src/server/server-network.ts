/** What the driver needs of the network: a WebSocket to the server. A test has another one in memory. */
import type { TextSocket, TextSocketEvents } from "@porchlight/driver-kit/links";

/** Opens the server's WebSocket. @throws ServerNotReached, NoZwaveServer, the signal's reason */
export type OpenServer = (events: TextSocketEvents, signal: AbortSignal) => Promise<TextSocket>;

/** Nothing answers at that address. */
export class ServerNotReached extends Error {}

/** Something answers there, and it is not zwave-js-server. */
export class NoZwaveServer extends Error {}
