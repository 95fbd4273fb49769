/** A WebSocket as a tunnel's socket: text messages only, pause and resume felt by the network, an end that always comes. */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import {
  CLOSE_CODES,
  type Corked,
  corkForTurn,
  type MessageSocket,
  type SocketEvents,
} from "@porchlight/shared/tunnel";
import { WebSocket } from "ws";

/** The other side has this long to answer a close before the connection is cut, ms. */
const CLOSE_MS = 5_000;
/** With so much to be sent a ping is not answered, bytes. */
const MOST_UNSENT = 64 * 1024;
/** What a WebSocket reports when it ended without a close frame (RFC 6455, 7.4.1). */
const LOST = 1006;

/** What the sockets of one gateway share. */
export interface HubWebSocketDeps {
  readonly clock: Clock;
  /** The connection of that client ends because the other side broke the WebSocket or the tunnel protocol. */
  readonly broken: (clientId: string) => void;
}

/** One that tells a single listener by calling it: listeners of an emitter, with what they remember, are 0.4 KB of every connection. */
export class HeardWebSocket extends WebSocket {
  heardBy: HubWebSocket | undefined;

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    const { heardBy } = this;
    if (!heardBy) return super.emit(event, ...args);
    if (event === "message") heardBy.message(args[0], args[1] === true);
    // Each error of ws is a frame that breaks RFC 6455, and ws closes the socket after it.
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

  /** @param carrier what the WebSocket writes to */
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

  /** For the WebSocket alone. */
  message(data: unknown, isBinary: boolean): void {
    // What follows a close of this side is read only to find the answer to it.
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    // `nodebuffer` is how ws hands every message over unless told otherwise.
    if (isBinary || !Buffer.isBuffer(data)) this.close(CLOSE_CODES.malformed, "malformed");
    else this.#events?.message(data.toString("utf8"));
  }

  /** For the WebSocket alone. Of pings that come faster than they can be answered only some need an answer (RFC 6455, 5.5.3). */
  pinged(data: unknown): void {
    if (this.#socket.bufferedAmount < MOST_UNSENT) this.#socket.pong(data, false);
  }

  /** For the WebSocket alone. */
  broken(): void {
    this.#deps.broken(this.#clientId);
  }

  /** For the WebSocket alone. */
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
