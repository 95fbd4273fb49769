/** The port of a network node: TCP, with TLS and a shared key when the node requires it. Every connection is a line. */
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { ByteLink } from "@porchlight/shared/wire";
import { socketLink } from "./socket-link.ts";

export interface NetworkPortOptions {
  readonly address: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Requires TLS with this key and identity. */
  readonly psk?: { readonly identity: string; readonly key: Uint8Array } | undefined;
}

export interface NetworkPort {
  readonly port: number;
  /** Closes the port and every connection at once. */
  close(): void;
}

/** TLS 1.3 external PSK, and TLS 1.2. DP1, "Network". */
const CIPHERS = "TLS_AES_128_GCM_SHA256:PSK-AES128-GCM-SHA256";

/**
 * Listens on the port.
 * @param attach called with each line once it is established, after the handshake
 * @throws Error (SystemError) when the port is not available
 */
export async function openNetworkPort(
  { address, port, psk }: NetworkPortOptions,
  attach: (link: ByteLink) => void,
): Promise<NetworkPort> {
  const sockets = new Set<Socket>();
  const serve = (socket: Socket) => attach(socketLink(socket));
  const server: Server = psk
    ? createTlsServer(
        {
          ciphers: CIPHERS,
          minVersion: "TLSv1.2",
          pskCallback: (_socket, identity) => (identity === psk.identity ? psk.key : null),
        },
        serve,
      )
    : createServer(serve);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  // A client without the key or without TLS is already disconnected.
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => {
      server.removeListener("error", reject);
      resolve();
    });
  });
  const bound = server.address();
  return {
    port: typeof bound === "object" && bound ? bound.port : port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
