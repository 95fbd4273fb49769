/** Channels that devices open to the hub (outbound WebSocket): those that sleep cannot be called. */
import { once } from "node:events";
import { type TextSocket, type TextSocketEvents, textSocket } from "@porchlight/driver-kit/links";
import { WebSocketServer } from "ws";
import { LARGEST_MESSAGE } from "./web-socket.ts";

/** Takes the socket over: nothing is heard before. */
export type OpenCalled = (events: TextSocketEvents) => TextSocket;

/** Listens until it is disposed of, and hands on each channel at once. @throws Error when it cannot listen */
export type ListenForDevices = (take: (open: OpenCalled) => void) => Promise<AsyncDisposable>;

/** Channels at once: each costs memory before it is known who calls. */
const MOST_CALLS = 64;

export function listenOn({ host, port }: { readonly host: string; readonly port: number }): ListenForDevices {
  return async (take) => {
    const server = new WebSocketServer({ host, port, maxPayload: LARGEST_MESSAGE, perMessageDeflate: false });
    server.on("connection", (socket) => {
      if (server.clients.size > MOST_CALLS) {
        // Its error after that is nobody's.
        socket.on("error", () => undefined);
        socket.terminate();
      } else take((events) => textSocket(socket, events, "the device"));
    });
    await once(server, "listening");
    server.on("error", () => undefined);
    const end = async () => {
      for (const client of server.clients) client.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    };
    return { [Symbol.asyncDispose]: end };
  };
}
