/** A WebSocket as a tunnel's socket: text messages only, pause and resume felt by the network, an end that always comes. */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import { CLOSE_CODES, type Corked, type MessageSocket, type SocketEvents, TurnCork } from "@porchlight/shared/tunnel";
import { WebSocket } from "ws";

/** The other side has this long to answer a close before the connection is cut, ms. */
const CLOSE_MS = 5_000;
/** What a WebSocket reports when it ended without a close frame (RFC 6455, 7.4.1). */
const LOST = 1006;

/** @param carrier what the WebSocket writes to */
export function websocketSocket(socket: WebSocket, carrier: Corked, clock: Clock): MessageSocket {
  const cork = new TurnCork(carrier);
  let cut: Timer | undefined;
  const close = (code: number, reason: string) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    // A paused socket would never read the answer to the close.
    socket.resume();
    socket.close(code, reason);
    cut = clock.timer("cut of a closed tunnel", CLOSE_MS, () => socket.terminate());
  };
  return {
    listen(events: SocketEvents) {
      socket.on("message", (data, isBinary) => {
        // `nodebuffer` is how ws hands every message over unless told otherwise.
        if (isBinary || !Buffer.isBuffer(data)) close(CLOSE_CODES.malformed, "malformed");
        else events.message(data.toString("utf8"));
      });
      // The end that follows an error is what counts: every error of ws closes the socket.
      socket.on("error", () => undefined);
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
