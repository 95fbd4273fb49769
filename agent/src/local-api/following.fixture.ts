/** A stream of the API at home as a test follows it: past HTTP, message by message. */
import type { Readable } from "node:stream";

export interface StreamMessage {
  readonly id: number | undefined;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an event by comparing it
  readonly data: any;
}

export class Following {
  readonly stream: Readable;
  readonly received: StreamMessage[] = [];
  /** Of each comment. */
  readonly positions: (number | undefined)[] = [];
  hasEnded = false;
  #text = "";

  constructor(stream: Readable) {
    this.stream = stream;
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => this.#read(text));
    for (const end of ["end", "close"]) stream.on(end, () => (this.hasEnded = true));
    stream.on("error", () => undefined);
  }

  /** All messages since the last call, once everything that is ready has run. */
  async newEvents(): Promise<StreamMessage[]> {
    await turns();
    return this.received.splice(0);
  }

  /** The same, in short: what, and where it stands. */
  async short(): Promise<string[]> {
    return (await this.newEvents()).map(({ event, data }) =>
      event === "property.changed" ? `${data.data.item.property} ${data.data.item.value}` : event,
    );
  }

  #read(text: string): void {
    this.#text += text;
    const blocks = this.#text.split("\n\n");
    this.#text = blocks.pop() ?? "";
    for (const block of blocks) {
      if (block.startsWith(":")) this.positions.push(idOf(block));
      else this.received.push(messageOf(block));
    }
  }
}

/** Lets everything that is ready run. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function messageOf(block: string): StreamMessage {
  return { id: idOf(block), event: field(block, "event") ?? "", data: JSON.parse(field(block, "data") ?? "null") };
}

function idOf(block: string): number | undefined {
  const id = field(block, "id");
  return id === undefined ? undefined : Number(id);
}

function field(block: string, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
}
