/**
 * The little of Redis's protocol that the streams of the benchmark need: commands as arrays of texts, answers in their order. Its own
 * code because the project has no client of Redis, and one that does less than a full one cannot be what makes Redis slow.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Texts, numbers, nothing, and arrays of them. */
export type Reply = string | number | null | readonly Reply[];

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (failure: Error) => void;
}

export class RedisClient implements Disposable {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  #text = "";

  private constructor(socket: Socket) {
    this.#socket = socket;
    // Every text of the benchmark is ASCII, so that lengths in bytes are lengths in characters.
    socket.setEncoding("latin1");
    socket.on("data", (data: string) => this.#read(data));
    socket.on("close", () => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error("the connection to Redis has ended"));
    });
  }

  static async connect(port: number): Promise<RedisClient> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await once(socket, "connect");
    return new RedisClient(socket);
  }

  /** Sends a command; the commands of one turn go out in one write. @throws Error as Redis gave it */
  ask(...words: readonly string[]): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork();
      process.nextTick(() => this.#socket.uncork());
    }
    this.#socket.write(
      `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join("")}`,
      "latin1",
    );
    this.#waiting.push({ resolve, reject });
    return promise;
  }

  [Symbol.dispose](): void {
    this.#socket.on("error", () => undefined);
    this.#socket.destroy();
  }

  #read(data: string): void {
    this.#text += data;
    let from = 0;
    for (;;) {
      const read = readReply(this.#text, from);
      if (read === undefined) break;
      from = read.end;
      const waiting = this.#waiting.shift();
      if (read.reply instanceof Error) waiting?.reject(read.reply);
      else waiting?.resolve(read.reply);
    }
    this.#text = this.#text.slice(from);
  }
}

/** One reply of those that begin at `from`, and where it ends; undefined while it is not whole. */
function readReply(text: string, from: number): { readonly reply: Reply | Error; readonly end: number } | undefined {
  const lineEnd = text.indexOf("\r\n", from);
  if (lineEnd < 0) return undefined;
  const line = text.slice(from + 1, lineEnd);
  const next = lineEnd + 2;
  switch (text[from]) {
    case "+":
      return { reply: line, end: next };
    case "-":
      return { reply: new Error(`Redis: ${line}`), end: next };
    case ":":
      return { reply: Number(line), end: next };
    case "$":
      return bulk(text, next, Number(line));
    case "*":
      return array(text, next, Number(line));
    default:
      throw new Error(`no reply of Redis: ${text.slice(from, from + 20)}`);
  }
}

function bulk(text: string, from: number, length: number): ReturnType<typeof readReply> {
  if (length < 0) return { reply: null, end: from };
  if (text.length < from + length + 2) return undefined;
  return { reply: text.slice(from, from + length), end: from + length + 2 };
}

function array(text: string, from: number, length: number): ReturnType<typeof readReply> {
  if (length < 0) return { reply: null, end: from };
  const items: Reply[] = [];
  let end = from;
  for (let at = 0; at < length; at++) {
    const item = readReply(text, end);
    if (item === undefined) return undefined;
    if (item.reply instanceof Error) return { reply: item.reply, end: item.end };
    items.push(item.reply);
    end = item.end;
  }
  return { reply: items, end };
}
