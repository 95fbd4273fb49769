/** A WebSocket as a tunnel's socket: text messages only, backpressure by pause and resume, and a close that always completes. */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import {
  CLOSE_CODES,
  type Corked,
  corkForTurn,
  type MessageSocket,
  type SocketEvents,
} from "@porchlight/shared/tunnel";
import { WebSocket } from "ws";

/** Time for the peer to answer a close before the connection is cut, ms. */
const CLOSE_MS = 5_000;
/** Above this many unsent bytes a ping is not answered. */
const MOST_UNSENT = 64 * 1024;
/** The close code that a WebSocket reports when it ended without a close frame (RFC 6455, 7.4.1). */
const LOST = 1006;

/** Dependencies that the sockets of one gateway share. */
export interface HubWebSocketDeps {
  readonly clock: Clock;
  /** Reports that the client's peer broke the WebSocket or the tunnel protocol; the connection ends. */
  readonly broken: (clientId: string) => void;
}

/** A WebSocket that calls a single listener: the listeners of an emitter, with their closures, take 0.4 KB for each connection. */
export class HeardWebSocket extends WebSocket {
  heardBy: HubWebSocket | undefined;

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    const { heardBy } = this;
    if (!heardBy) return super.emit(event, ...args);
    if (event === "message") heardBy.message(args[0], args[1] === true);
    // Each error of ws is a frame that violates RFC 6455, and ws closes the socket after it.
    else if (event === "error") heardBy.broken();
    else if (event === "close") heardBy.closed(Number(args[0]));
    else if (event === "ping") heardBy.pinged(args[0]);
    return true;
  }
}

export class HubWebSocket implements MessageSocket {
  readonly #deps: HubWebSocketDeps;
  readonly #socket: HeardWebSocket;
  readonly #carrier: Corked;
  readonly #clientId: string;
  #events: SocketEvents | undefined;
  #cut: Timer | undefined;

  /** @param carrier the stream that the WebSocket writes to */
  constructor(deps: HubWebSocketDeps, socket: HeardWebSocket, carrier: Corked, clientId: string) {
    this.#deps = deps;
    this.#socket = socket;
    this.#carrier = carrier;
    this.#clientId = clientId;
    socket.heardBy = this;
  }

  listen(events: SocketEvents): void {
    this.#events = events;
  }

  /** Called by the WebSocket only. */
  message(data: unknown, isBinary: boolean): void {
    // After this side has closed, messages are read only to reach the peer's close frame.
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    // With its default `binaryType`, `nodebuffer`, ws passes every message as a Buffer.
    if (isBinary || !Buffer.isBuffer(data)) this.close(CLOSE_CODES.malformed, "malformed");
    else this.#events?.message(data.toString("utf8"));
  }

  /** Called by the WebSocket only. When pings come faster than they can be answered, not all need an answer (RFC 6455, 5.5.3). */
  pinged(data: unknown): void {
    if (this.#socket.bufferedAmount < MOST_UNSENT) this.#socket.pong(data, false);
  }

  /** Called by the WebSocket only. */
  broken(): void {
    this.#deps.broken(this.#clientId);
  }

  /** Called by the WebSocket only. */
  closed(code: number): void {
    this.#cut?.cancel();
    this.#events?.closed(code === 0 ? LOST : code);
  }

  send(text: string, sent: () => void): void {
    corkForTurn(this.#carrier);
    this.#socket.send(text, sent);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(code: number, reason: string): void {
    const socket = this.#socket;
    if (socket.readyState !== WebSocket.OPEN) return;
    if (code === CLOSE_CODES.malformed) this.broken();
    // A paused socket would never read the answer to the close.
    socket.resume();
    socket.close(code, reason);
    this.#cut = this.#deps.clock.timer("cut of a closed tunnel", CLOSE_MS, () => socket.terminate());
  }
}
