/** A stream of the API at home as a test follows it: past HTTP, message by message. */
import type { Readable } from "node:stream";

export interface Told {
  readonly id: number | undefined;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an event by comparing it
  readonly data: any;
}

export class Following {
  readonly stream: Readable;
  readonly told: Told[] = [];
  comments = 0;
  hasEnded = false;
  #text = "";

  constructor(stream: Readable) {
    this.stream = stream;
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => this.#read(text));
    for (const end of ["end", "close"]) stream.on(end, () => (this.hasEnded = true));
    stream.on("error", () => undefined);
  }

  /** All that has been told since it was asked last, once everything that is ready has run. */
  async newEvents(): Promise<Told[]> {
    await turns();
    return this.told.splice(0);
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
      if (block.startsWith(":")) this.comments += 1;
      else this.told.push(messageOf(block));
    }
  }
}

/** Lets everything that is ready run. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function messageOf(block: string): Told {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
  const id = field("id");
  return {
    id: id === undefined ? undefined : Number(id),
    event: field("event") ?? "",
    data: JSON.parse(field("data") ?? "null"),
  };
}
