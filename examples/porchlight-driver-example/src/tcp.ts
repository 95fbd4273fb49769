/** A connection to a board: lines out, lines in. Behind an interface with four members, so that a test can stand in for the board. */
import { createConnection } from "node:net";

export interface BoardLink {
  send(line: string): void;
  /** Calls `take` with each line, until the link is closed. */
  listen(take: (line: string) => void): void;
  /** Settles when the connection is closed, from either side. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Opens a connection. @throws Error, also when the signal is aborted meanwhile */
export type Connect = (signal: AbortSignal) => Promise<BoardLink>;

/** Maximum length of a line: a longer one does not come from a board. */
const LONGEST_LINE = 128;

export function connectByTcp(host: string, port: number): Connect {
  return (signal) =>
    new Promise((resolve, reject) => {
      const socket = createConnection({ host, port, signal, timeout: 10_000 });
      const closed = new Promise<void>((settle) => socket.once("close", () => settle()));
      socket.on("timeout", () => socket.destroy(new Error("the board does not answer")));
      socket.on("error", reject);
      socket.once("connect", () => {
        socket.setEncoding("latin1").setNoDelay().setKeepAlive(true, 10_000).setTimeout(0);
        resolve({
          send: (line) => void socket.write(`${line}\n`),
          listen: (take) => listen(socket, take),
          closed,
          close: () => void socket.destroy(),
        });
      });
    });
}

function listen(socket: ReturnType<typeof createConnection>, take: (line: string) => void): void {
  let rest = "";
  socket.on("data", (text) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    if ([rest, ...lines].some(({ length }) => length > LONGEST_LINE)) socket.destroy();
    else for (const line of lines) take(line.trim());
  });
}
