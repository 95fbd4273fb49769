/** A line to a node on the home network: plain TCP, or TLS with the key that the hub and the node share. */
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Clock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";

/** A key that a node and the hub share. */
interface PreSharedKey {
  /** The node's edgeId. */
  readonly identity: string;
  readonly key: Uint8Array;
}

export interface NetworkEndpoint {
  /** IPv4, or IPv6 (with its zone when it is link-local). */
  readonly address: string;
  readonly port: number;
  /** TLS with this key and nothing else; plain TCP without one. */
  readonly psk?: PreSharedKey | undefined;
}

/** Time limit for connecting, TLS included, ms. */
const CONNECT_MS = 5000;
/** TLS 1.3 external PSK, and TLS 1.2. DP1, "Network". */
const CIPHERS = "TLS_AES_128_GCM_SHA256:PSK-AES128-GCM-SHA256";

/**
 * Opens a line.
 * @throws Error that states why it cannot be opened, or the signal's reason
 */
export function openNetworkLink(clock: Clock, endpoint: NetworkEndpoint, signal: AbortSignal): Promise<ByteLink> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = endpoint.psk
      ? tlsSocket(endpoint, endpoint.psk)
      : connect({ host: endpoint.address, port: endpoint.port, noDelay: true });
    const timer = clock.timer("connection to a node", CONNECT_MS, () => fail(new Error("no answer")));
    const settle = () => {
      timer.cancel();
      signal.removeEventListener("abort", stop);
      socket.removeListener("error", fail);
      socket.removeListener("close", closed);
    };
    const fail = (reason: unknown) => {
      settle();
      // Later errors of the socket have no effect.
      socket.on("error", () => undefined);
      socket.destroy();
      reject(reason);
    };
    const stop = () => fail(signal.reason);
    const closed = () => fail(new Error("closed by the other side"));
    signal.addEventListener("abort", stop, { once: true });
    socket.on("error", fail);
    socket.on("close", closed);
    socket.once(endpoint.psk ? "secureConnect" : "connect", () => {
      settle();
      resolve(new SocketLink(socket));
    });
  });
}

function tlsSocket({ address, port }: NetworkEndpoint, { identity, key }: PreSharedKey): Socket {
  return connectTls({
    host: address,
    port,
    ciphers: CIPHERS,
    minVersion: "TLSv1.2",
    maxVersion: "TLSv1.3",
    // A node without the key must not present a certificate instead: no certificate is trusted, not even a signed one.
    ca: [],
    checkServerIdentity: (_host, certificate) =>
      Object.keys(certificate).length === 0
        ? undefined
        : new Error("the node sent a certificate instead of using its key"),
    pskCallback: () => ({ psk: key, identity }),
  });
}

/** A connected socket, TCP or TLS on top of it, as a line of bytes: shared by both kinds of network line. */
export class SocketLink implements ByteLink {
  readonly #socket: Socket;
  readonly #writes = new Set<(reason: Error) => void>();
  #onClosed: ((reason: string) => void) | undefined;
  /** Why the line is down. */
  #down: string | undefined;

  /** Takes over a socket that is connected. */
  constructor(socket: Socket) {
    this.#socket = socket;
    // Frames are small, and a command waits for its answer: waiting for more bytes gains nothing.
    socket.setNoDelay(true);
    socket.on("error", (error) => this.#goDown(error.message));
    socket.on("end", () => this.#goDown("closed by the other side"));
    socket.on("close", () => this.#goDown("closed"));
  }

  listen(onBytes: (bytes: Uint8Array) => void, onClosed: (reason: string) => void): void {
    this.#onClosed = onClosed;
    if (this.#down === undefined) this.#socket.on("data", onBytes);
    else onClosed(this.#down);
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#down !== undefined) return reject(new Error(this.#down));
      this.#writes.add(reject);
      this.#socket.write(bytes, (error) => {
        if (!this.#writes.delete(reject)) return;
        if (error) reject(error);
        else resolve();
      });
    });
  }

  close(): void {
    this.#goDown("closed");
  }

  #goDown(reason: string): void {
    if (this.#down !== undefined) return;
    this.#down = reason;
    // Data that is already written still leaves, such as an ERROR frame with the reason; a peer that does not read it is not waited for.
    this.#socket.end();
    this.#socket.destroySoon();
    if (this.#writes.size > 0) this.#socket.destroy();
    const writes = [...this.#writes];
    this.#writes.clear();
    for (const reject of writes) reject(new Error(reason));
    this.#onClosed?.(reason);
  }
}
