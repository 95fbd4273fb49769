/** The real network: a WebSocket by `ws`. */
import { type TextSocket, type TextSocketEvents, textSocket } from "@porchlight/driver-kit/links";
import { WebSocket } from "ws";

/** Largest message, bytes; the state of a network of 200 nodes has about 10 MB. A larger message closes the connection. */
const LARGEST_MESSAGE = 32 * 1024 * 1024;
/** Error codes of a peer that does not speak TLS, HTTP or WebSocket correctly. */
const OTHER_PROTOCOL = /^(?:HPE_|ERR_SSL_|WS_ERR_)/;

export function openByWebSocket(url: string): OpenServer {
  return (events, signal) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: LARGEST_MESSAGE });
      const giveUp = () => {
        reject(signal.reason);
        socket.terminate();
      };
      const settled = () => signal.removeEventListener("abort", giveUp);
      signal.addEventListener("abort", giveUp, { once: true });
      if (signal.aborted) giveUp();
      // Attached before the socket is open, because the server sends its greeting at once.
      const opened = textSocket(socket, events, "the server");
      socket.once("open", () => {
        settled();
        resolve(opened);
      });
      socket.once("unexpected-response", (_request, response) => {
        settled();
        reject(new NoZwaveServer(`what answers there is no WebSocket server (status ${response.statusCode})`));
        response.resume();
        socket.terminate();
      });
      // Stays for the socket's life: an error without a listener would end the process. `close` follows the error.
      socket.on("error", (failure: NodeJS.ErrnoException) => {
        settled();
        const { message, code = "" } = failure;
        const isOther = OTHER_PROTOCOL.test(code) || message.startsWith("Invalid ");
        reject(isOther ? new NoZwaveServer(message) : new ServerNotReached(message || code || "it does not answer"));
      });
    });
}

/** Opens the server's WebSocket; tests have an implementation in memory. @throws ServerNotReached, NoZwaveServer, the signal's reason */
export type OpenServer = (events: TextSocketEvents, signal: AbortSignal) => Promise<TextSocket>;

/** No host answers at that address. */
export class ServerNotReached extends Error {}

/** The service at that address is not zwave-js-server. */
export class NoZwaveServer extends Error {}
