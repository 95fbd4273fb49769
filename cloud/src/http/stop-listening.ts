/** Stops accepting connections and keeps the open ones; Node's `close` does not keep idle ones. */
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";

/**
 * Node's `close` also closes the connections that are idle at that moment, even if their next request is already on its way. After
 * this function they stay open until `close` is called, and requests on them are answered.
 */
export function stopListening(server: Server): void {
  if (server.listening) NetServer.prototype.close.call(server);
}
