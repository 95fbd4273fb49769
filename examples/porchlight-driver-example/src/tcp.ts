/** A connection to a board: lines out, lines in. Behind an interface of four, so that a test can be the board. */
import { createConnection } from "node:net";

export interface BoardLink {
  send(line: string): void;
  /** Each line that comes, until the link is closed. */
  listen(take: (line: string) => void): void;
  /** Settles when it is closed, from whichever side. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Opens a connection. @throws Error, also when the signal is aborted meanwhile */
export type Connect = (signal: AbortSignal) => Promise<BoardLink>;

/** No line of a board is longer: what is comes from something else. */
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
