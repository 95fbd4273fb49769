/** A connection to a node, TCP or TLS on top of it, as the node's end of a line. */
import type { Socket } from "node:net";
import type { ByteLink } from "@porchlight/shared/wire";

/** Bytes that may wait for a hub that does not read; what comes after is lost, as in the small buffer of a microcontroller. */
const BACKLOG = 16 * 1024;

/** The line of a socket that is connected. */
export function socketLink(socket: Socket): ByteLink {
  socket.setNoDelay(true);
  // "close" follows, and tells.
  socket.on("error", () => undefined);
  return {
    listen: (onBytes, onClosed) => {
      socket.on("data", onBytes);
      socket.once("close", () => onClosed("closed by the hub"));
      if (socket.destroyed) queueMicrotask(() => onClosed("closed by the hub"));
    },
    write: (bytes) => {
      if (socket.destroyed || socket.writableEnded) return Promise.reject(new Error("closed"));
      if (socket.writableLength > BACKLOG) return Promise.resolve();
      return new Promise((resolve, reject) => {
        socket.write(bytes, (failure) => (failure ? reject(failure) : resolve()));
      });
    },
    close: () => {
      socket.end();
      socket.destroySoon();
    },
  };
}
