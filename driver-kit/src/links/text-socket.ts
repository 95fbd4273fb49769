/** A WebSocket of text messages, opened by either end: the part of it that drivers with JSON over a WebSocket need. */
import type { WebSocket } from "ws";

export interface TextSocketEvents {
  /** A message; empty for a binary message, which no protocol here uses. */
  readonly text: (text: string) => void;
  /** The other end answers a ping. */
  readonly pong: () => void;
  /** Called once, when the socket is closed; not after `close`. */
  readonly closed: (why: string) => void;
}

export interface TextSocket {
  /** Has no effect once the socket is closed. */
  send(text: string): void;
  ping(): void;
  /** Closes at once, without a closing handshake. Can be called twice. */
  close(): void;
}

/** @param peer for people: "the device", "the server" */
export function textSocket(socket: WebSocket, events: TextSocketEvents, peer: string): TextSocket {
  let isOver = false;
  let failure: string | undefined;
  socket.on("error", ({ message }) => {
    failure = message;
  });
  socket.on("message", (data, isBinary) => {
    // `ws` delivers one Buffer by default.
    if (!isOver && Buffer.isBuffer(data)) events.text(isBinary ? "" : data.toString("utf8"));
  });
  socket.on("pong", () => {
    if (!isOver) events.pong();
  });
  socket.once("close", (code) => {
    if (isOver) return;
    isOver = true;
    events.closed(failure ?? `${peer} has closed the connection (${code})`);
  });
  return {
    send: (text) => {
      // The close that follows a failed send reports the failure.
      if (socket.readyState === socket.OPEN) socket.send(text, () => undefined);
    },
    ping: () => {
      if (socket.readyState === socket.OPEN) socket.ping(undefined, undefined, () => undefined);
    },
    close: () => {
      isOver = true;
      socket.terminate();
    },
  };
}
