/** An event stream as a test follows it: opened past the network, read message by message. */
import type { Readable } from "node:stream";
import type { TestCloud } from "../app.fixture.ts";

export interface Message {
  readonly id: string | undefined;
  readonly event: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an event by comparing it
  readonly data: any;
}

export class Followed implements Disposable {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly #stream: Readable;
  readonly #messages: Message[] = [];
  readonly comments: string[] = [];
  #text = "";
  #waiting: (() => void) | undefined;
  #ended = false;

  private constructor(status: number, headers: Readonly<Record<string, unknown>>, stream: Readable) {
    this.status = status;
    this.headers = headers;
    this.#stream = stream;
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => this.#read(text));
    for (const end of ["end", "close", "error"]) stream.on(end, () => this.#end());
  }

  static async open(
    cloud: TestCloud,
    token: string,
    query = "",
    headers: Record<string, string> = {},
  ): Promise<Followed> {
    const response = await cloud.app.fastify.inject({
      method: "GET",
      url: `/api/events${query}`,
      headers: { authorization: `Bearer ${token}`, ...headers },
      payloadAsStream: true,
    });
    return new Followed(response.statusCode, response.headers, response.stream());
  }

  /** The next message; undefined when the stream has ended. */
  async next(): Promise<Message | undefined> {
    while (this.#messages.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    return this.#messages.shift();
  }

  /** The next so many messages. */
  async some(count: number): Promise<(Message | undefined)[]> {
    const messages = [];
    while (messages.length < count) messages.push(await this.next());
    return messages;
  }

  /** The first so many comments. */
  async firstComments(count: number): Promise<readonly string[]> {
    while (this.comments.length < count && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    return this.comments.slice(0, count);
  }

  /** Messages that have come and were not asked for yet. */
  get waiting(): readonly Message[] {
    return this.#messages;
  }

  [Symbol.dispose](): void {
    this.#stream.destroy();
  }

  #read(text: string): void {
    this.#text += text;
    const blocks = this.#text.split("\n\n");
    this.#text = blocks.pop() ?? "";
    for (const block of blocks) {
      if (block.startsWith(":")) this.comments.push(block);
      else this.#messages.push(messageOf(block));
    }
    this.#wake();
  }

  #end(): void {
    this.#ended = true;
    this.#wake();
  }

  #wake(): void {
    this.#waiting?.();
    this.#waiting = undefined;
  }
}

function messageOf(block: string): Message {
  const fields = new Map(
    block.split("\n").map((line): [string, string] => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
  return { id: fields.get("id"), event: fields.get("event"), data: JSON.parse(fields.get("data") ?? "null") };
}
