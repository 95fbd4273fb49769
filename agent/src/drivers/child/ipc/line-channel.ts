/** A channel over a pipe: one JSON text a line, neither a longer one nor more of them than the other end reads. */
import type { Duplex } from "node:stream";

// The line between an agent and a child with a driver, as both ends see it: what carries it, pipes or memory, stands elsewhere.

/** Largest message either end sends, bytes of its JSON. */
export const MAX_IPC_BYTES = 1024 * 1024;

/** The most questions of one end that the other has not answered. */
export const MOST_IN_FLIGHT = 1000;

export interface ChannelListener {
  /** JSON that no schema has seen. */
  received(message: unknown): void;
  /** Called once, whichever end closes it. */
  closed(why: string): void;
}

/** What both ends have. */
interface Channel<Listener extends ChannelListener = ChannelListener> {
  /** Hands a message over, in order. Nothing happens once the channel is closed. */
  send(message: object): void;
  /** Begins to listen. What has come before waits for it. */
  listen(listener: Listener): void;
  /** Ends it at once; a child that runs elsewhere is ended with it. Safe to repeat. */
  close(why: string): void;
}

export interface ParentListener extends ChannelListener {
  /**
   * The child stands still until this has answered whether it may touch the device of that attempt now. What a `true` means must be
   * noted before it is given: the child may die with it in its hands.
   */
  mayTouch(attempt: number): boolean;
}

/** The agent's end. */
export interface ParentChannel extends Channel<ParentListener> {
  /** Settles when the child is there no more: only then may another one have its devices. */
  readonly gone: Promise<void>;
}

/** The child's end. */
export interface ChildChannel extends Channel {
  /** Asks the agent and waits for its answer without returning; false when it is not there any more. */
  mayTouch(attempt: number): boolean;
}

/** What may wait until the other end reads it, bytes. */
const MOST_WAITING = 8 * MAX_IPC_BYTES;
const NEWLINE = 0x0a;
/** Why a channel is closed whose other end has closed it, or is no more. */
export const GONE = "it has gone";

/** @param ended called once after `close`, and when the other end has closed the pipe */
export function lineChannel(pipe: Duplex, ended: (why: string) => void = () => undefined): Channel {
  const parts = new LineParts();
  let listener: ChannelListener | undefined;
  let isClosed = false;

  const close = (why: string) => {
    if (isClosed) return;
    isClosed = true;
    // What was sent before still goes out; a pipe that takes it no more has another end that is gone.
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

/** Bytes as they come, lines as they end. */
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

/** Undefined when it is no JSON. */
function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}
