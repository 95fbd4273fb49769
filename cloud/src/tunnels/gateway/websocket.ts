/** A WebSocket as a tunnel's socket: text messages only, pause and resume felt by the network, an end that always comes. */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import { CLOSE_CODES, type Corked, type MessageSocket, type SocketEvents, TurnCork } from "@porchlight/shared/tunnel";
import { WebSocket } from "ws";

/** The other side has this long to answer a close before the connection is cut, ms. */
const CLOSE_MS = 5_000;
/** What a WebSocket reports when it ended without a close frame (RFC 6455, 7.4.1). */
const LOST = 1006;

/**
 * @param carrier what the WebSocket writes to
 * @param broken called once when the connection ends because the other side broke the WebSocket or the tunnel protocol
 */
export function websocketSocket(
  socket: WebSocket,
  carrier: Corked,
  clock: Clock,
  broken: () => void = () => undefined,
): MessageSocket {
  const cork = new TurnCork(carrier);
  let cut: Timer | undefined;
  const close = (code: number, reason: string) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (code === CLOSE_CODES.malformed) broken();
    // A paused socket would never read the answer to the close.
    socket.resume();
    socket.close(code, reason);
    cut = clock.timer("cut of a closed tunnel", CLOSE_MS, () => socket.terminate());
  };
  return {
    listen(events: SocketEvents) {
      socket.on("message", (data, isBinary) => {
        // What follows a close of this side is read only to find the answer to it.
        if (socket.readyState !== WebSocket.OPEN) return;
        // `nodebuffer` is how ws hands every message over unless told otherwise.
        if (isBinary || !Buffer.isBuffer(data)) close(CLOSE_CODES.malformed, "malformed");
        else events.message(data.toString("utf8"));
      });
      // Each error of ws is a frame that breaks RFC 6455, and ws closes the socket after it.
      socket.on("error", broken);
      socket.on("close", (code) => {
        cut?.cancel();
        events.closed(code === 0 ? LOST : code);
      });
    },
    send: (text, sent) => {
      cork.hold();
      socket.send(text, sent);
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close,
  };
}
