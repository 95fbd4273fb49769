/** The real socket of the tunnel: a WebSocket by `ws`, with an optional proxy and a private CA. */
import { getCACertificates } from "node:tls";
import type { Clock } from "@porchlight/shared/kernel";
import {
  CLOSE_CODES,
  type Corked,
  corkForTurn,
  MAX_MESSAGE_BYTES,
  type MessageSocket,
  type SocketEvents,
  TUNNEL_SUBPROTOCOL,
} from "@porchlight/shared/tunnel";
import { WebSocket } from "ws";
import { throughProxy } from "../links/index.ts";
import { type Dial, DialRefused } from "./dial.ts";

export interface WebSocketOptions {
  readonly clock: Clock;
  /** The environment with `HTTPS_PROXY` and `NO_PROXY`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** PEM of a CA that is trusted in addition to the usual ones. */
  readonly ca?: string | undefined;
}

/**
 * Maximum time of a close handshake, ms, before the connection is dropped. A cloud under load that reads the close after that has lost
 * it if it wrote to the dropped connection before: it then reports an interrupted connection instead of a stopped agent.
 */
const GOODBYE_MS = 10_000;

/** Dials over the network. */
export function webSocketDial({ clock, env, ca }: WebSocketOptions): Dial {
  return async (address, token, signal) => {
    const url = new URL(address);
    const trusted = ca === undefined ? undefined : [...getCACertificates("default"), ca];
    const through = await throughProxy(url, env, trusted, signal);
    signal.throwIfAborted();
    const socket = new WebSocket(url, TUNNEL_SUBPROTOCOL, {
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
      ...(trusted && { ca: trusted }),
      ...(through && { createConnection: () => through }),
    });
    return opened(socket, clock, signal);
  };
}

function opened(socket: WebSocket, clock: Clock, signal: AbortSignal): Promise<MessageSocket> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(signal.reason);
      socket.terminate();
    };
    signal.addEventListener("abort", giveUp, { once: true });
    // The response that opens the WebSocket arrives over the socket that will carry it.
    socket.once("upgrade", ({ socket: carrier }) => {
      socket.once("open", () => {
        signal.removeEventListener("abort", giveUp);
        // No message may be delivered before there is a listener.
        socket.pause();
        resolve(new TunnelWebSocket(socket, carrier, clock));
      });
    });
    socket.once("unexpected-response", (_request, response) => {
      signal.removeEventListener("abort", giveUp);
      reject(new DialRefused(response.statusCode ?? 0, retryAfterMs(response.headers["retry-after"])));
      response.resume();
      socket.terminate();
    });
    // Stays for the socket's life: an error without a listener would end the process; `close` reports it.
    socket.on("error", (failure) => {
      signal.removeEventListener("abort", giveUp);
      reject(failure);
    });
  });
}

/** Accepts seconds only: our cloud sends nothing else, and a date needs a correct clock. */
function retryAfterMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}

class TunnelWebSocket implements MessageSocket {
  readonly #socket: WebSocket;
  readonly #carrier: Corked;
  readonly #clock: Clock;

  constructor(socket: WebSocket, carrier: Corked, clock: Clock) {
    this.#socket = socket;
    this.#carrier = carrier;
    this.#clock = clock;
  }

  listen(events: SocketEvents): void {
    const socket = this.#socket;
    socket.on("message", (data, isBinary) => {
      // One Buffer, the default of `ws`; a binary message is not part of this protocol.
      if (isBinary || !Buffer.isBuffer(data)) this.close(CLOSE_CODES.malformed, "malformed");
      else events.message(data.toString("utf8"));
    });
    socket.once("close", (code) => events.closed(code));
    if (socket.readyState === WebSocket.CLOSED) events.closed(1006);
    else socket.resume();
  }

  send(text: string, sent: () => void): void {
    corkForTurn(this.#carrier);
    // The close that follows reports a failed send.
    this.#socket.send(text, (failure) => {
      if (!failure) sent();
    });
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(code: number, reason: string): void {
    if (this.#socket.readyState >= WebSocket.CLOSING) return;
    // A paused socket would never read the answer to the close.
    this.#socket.resume();
    this.#socket.close(code, reason);
    const timer = this.#clock.timer("goodbye", GOODBYE_MS, () => this.#socket.terminate());
    this.#socket.once("close", () => timer.cancel());
  }
}
