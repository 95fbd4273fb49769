/** Takes no more connections, and goes on with those that there are: what Node's own end of a server does only in one with more. */
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";

/**
 * Node's `close` cuts the connections on which nothing is under way just then, also where the next request is on its way to them.
 * After this one they stand until `close` comes, and a request on them is answered.
 */
export function stopListening(server: Server): void {
  if (server.listening) NetServer.prototype.close.call(server);
}
