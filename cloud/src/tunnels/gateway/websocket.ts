/** A WebSocket as a tunnel's socket: text messages only, pause and resume felt by the network, an end that always comes. */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import { CLOSE_CODES, type Corked, type MessageSocket, type SocketEvents, TurnCork } from "@porchlight/shared/tunnel";
import { WebSocket } from "ws";

/** The other side has this long to answer a close before the connection is cut, ms. */
const CLOSE_MS = 5_000;
/** What a WebSocket reports when it ended without a close frame (RFC 6455, 7.4.1). */
const LOST = 1006;

export class HubWebSocket implements MessageSocket {
  readonly #socket: WebSocket;
  readonly #cork: TurnCork;
  readonly #clock: Clock;
  readonly #broken: () => void;
  #cut: Timer | undefined;

  /**
   * @param carrier what the WebSocket writes to
   * @param broken called once when the connection ends because the other side broke the WebSocket or the tunnel protocol
   */
  constructor(socket: WebSocket, carrier: Corked, clock: Clock, broken: () => void = () => undefined) {
    this.#socket = socket;
    this.#cork = new TurnCork(carrier);
    this.#clock = clock;
    this.#broken = broken;
  }

  listen(events: SocketEvents): void {
    const socket = this.#socket;
    socket.on("message", (data, isBinary) => {
      // What follows a close of this side is read only to find the answer to it.
      if (socket.readyState !== WebSocket.OPEN) return;
      // `nodebuffer` is how ws hands every message over unless told otherwise.
      if (isBinary || !Buffer.isBuffer(data)) this.close(CLOSE_CODES.malformed, "malformed");
      else events.message(data.toString("utf8"));
    });
    // Each error of ws is a frame that breaks RFC 6455, and ws closes the socket after it.
    socket.on("error", this.#broken);
    socket.on("close", (code) => {
      this.#cut?.cancel();
      events.closed(code === 0 ? LOST : code);
    });
  }

  send(text: string, sent: () => void): void {
    this.#cork.hold();
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
    if (code === CLOSE_CODES.malformed) this.#broken();
    // A paused socket would never read the answer to the close.
    socket.resume();
    socket.close(code, reason);
    this.#cut = this.#clock.timer("cut of a closed tunnel", CLOSE_MS, () => socket.terminate());
  }
}
