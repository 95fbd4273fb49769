/** Where hubs reach a network node: a TCP port, with TLS and a shared key when the node wants it. Every connection is a line. */
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { ByteLink } from "@porchlight/shared/wire";
import { socketLink } from "./socket-link.ts";

export interface NetworkPortOptions {
  readonly address: string;
  /** 0 is any free one. */
  readonly port: number;
  /** TLS only, for hubs that know the key of this identity. */
  readonly psk?: { readonly identity: string; readonly key: Uint8Array } | undefined;
}

export interface NetworkPort {
  readonly port: number;
  /** Vanishes at once, with every connection. */
  close(): void;
}

/** TLS 1.3 external PSK, and TLS 1.2. DP1, "Network". */
const CIPHERS = "TLS_AES_128_GCM_SHA256:PSK-AES128-GCM-SHA256";

/**
 * Listens.
 * @param attach given each line when it stands, after the handshake
 * @throws Error (SystemError) when the port cannot be had
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
  // Who has no key, or speaks no TLS, is gone already.
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
