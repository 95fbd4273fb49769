/** The channel between an agent and a child with a driver, and its form over a pipe: one JSON text per line, bounded in size and number. */
import type { Duplex } from "node:stream";

/** Largest message that either end sends, bytes of its JSON. */
export const MAX_IPC_BYTES = 1024 * 1024;

/** Maximum questions of one end that the other has not answered. */
export const MOST_IN_FLIGHT = 1000;

export interface ChannelListener {
  /** Receives a message: JSON that no schema has checked. */
  received(message: unknown): void;
  /** Called once, whichever end closes the channel. */
  closed(why: string): void;
}

/** The part of the channel that both ends share. */
interface Channel<Listener extends ChannelListener = ChannelListener> {
  /** Sends a message, in order. Does nothing once the channel is closed. */
  send(message: object): void;
  /** Starts to listen. Messages received before are delivered now. */
  listen(listener: Listener): void;
  /** Closes the channel at once; a child in another process is ended with it. Safe to repeat. */
  close(why: string): void;
}

export interface ParentListener extends ChannelListener {
  /**
   * Decides whether the child may touch the device of that attempt now; the child blocks until the answer. Record the permission
   * before you return true: the child can crash right after it gets it.
   */
  mayTouch(attempt: number): boolean;
}

/** The agent's end. */
export interface ParentChannel extends Channel<ParentListener> {
  /** Resolves when the child no longer exists: only then may another child have its devices. */
  readonly gone: Promise<void>;
}

/** The child's end. */
export interface ChildChannel extends Channel {
  /** Asks the agent and blocks until its answer; false when the agent is gone. */
  mayTouch(attempt: number): boolean;
}

/** Maximum bytes that wait for the other end to read them. */
const MOST_WAITING = 8 * MAX_IPC_BYTES;
const NEWLINE = 0x0a;
/** The reason for closing when the other end has closed the channel or no longer exists. */
export const GONE = "it has gone";

/** @param ended called once after `close`, and when the other end has closed the pipe */
export function lineChannel(pipe: Duplex, ended: (why: string) => void = () => undefined): Channel {
  const parts = new LineParts();
  let listener: ChannelListener | undefined;
  let isClosed = false;

  const close = (why: string) => {
    if (isClosed) return;
    isClosed = true;
    // Earlier messages are still sent; if the pipe does not accept them, the other end is gone.
    pipe.end(() => pipe.destroy());
    ended(why);
    listener?.closed(why);
  };
  const receive = (chunk: Buffer) => {
    for (const line of parts.take(chunk)) {
      if (isClosed) return;
      const message = parsed(line);
      if (message === undefined) {
        close("it sent something that is not JSON");
        return;
      }
      listener?.received(message);
    }
    if (parts.isTooLong) close("a message is too large");
  };
  for (const event of ["error", "end", "close"]) pipe.on(event, () => close(GONE));

  return {
    send: (message) => {
      if (isClosed) return;
      const line = `${JSON.stringify(message)}\n`;
      if (Buffer.byteLength(line) > MAX_IPC_BYTES) return close("a message is too large");
      pipe.write(line);
      if (pipe.writableLength > MOST_WAITING) close("it does not read");
    },
    listen: (given) => {
      listener = given;
      pipe.on("data", receive);
    },
    close,
  };
}

/** Assembles lines from the received bytes. */
class LineParts {
  #parts: Buffer[] = [];
  #bytes = 0;

  get isTooLong(): boolean {
    return this.#bytes > MAX_IPC_BYTES;
  }

  *take(chunk: Buffer): Iterable<Buffer> {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...this.#parts, chunk.subarray(from, end)]);
      this.#parts = [];
      this.#bytes = 0;
      from = end + 1;
      yield line;
    }
    if (from < chunk.byteLength) this.#parts.push(chunk.subarray(from));
    this.#bytes += chunk.byteLength - from;
  }
}

/** Undefined when it is not JSON. */
function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}
