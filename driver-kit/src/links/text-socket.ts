/** A WebSocket of text messages, whoever has opened it: what drivers that speak JSON over one need, and nothing else of it. */
import type { WebSocket } from "ws";

export interface TextSocketEvents {
  /** A message; empty for a binary one, which no protocol here has. */
  readonly text: (text: string) => void;
  /** The other end answers a ping. */
  readonly pong: () => void;
  /** Called once, when the socket is gone; not after `close`. */
  readonly closed: (why: string) => void;
}

export interface TextSocket {
  /** Has no effect once the socket is gone. */
  send(text: string): void;
  ping(): void;
  /** At once, without a closing handshake. Can be called twice. */
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
    // One Buffer, as `ws` gives it unless told otherwise.
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
      // A failed send is told by the close that follows it.
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
