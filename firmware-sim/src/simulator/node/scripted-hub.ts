/** A scripted hub for tests: records every message with its time, and sends only the messages of the test. */
import { type Clock, settle } from "@porchlight/shared/kernel";
import {
  type ByteLink,
  decodeBody,
  encodeFrame,
  encodeMessage,
  FrameReader,
  HUB_FRAME_LIMIT,
  type Message,
  type MessageName,
  type MessageOf,
} from "@porchlight/shared/wire";

export const SCRIPTED_HUB_ID = "02-50-4C-00-00-01";

export interface HeardByHub {
  readonly message: Message;
  /** Monotonic ms. */
  readonly at: number;
}

export class ScriptedHub {
  readonly heard: HeardByHub[] = [];
  closed: string | undefined;
  readonly #link: ByteLink;

  /** @param onNoise handles anything that is no good message; by default the test fails */
  constructor(link: ByteLink, clock: Clock, onNoise: (noise: unknown) => void = failed) {
    const reader = new FrameReader(HUB_FRAME_LIMIT);
    this.#link = link;
    link.listen(
      (bytes) => {
        for (const event of reader.push(bytes)) {
          const body = event.kind === "frame" ? decodeBody(event.body) : event;
          if (body.kind === "message") this.heard.push({ message: body.message, at: clock.monotonic() });
          else onNoise(body);
        }
      },
      (reason) => {
        this.closed = reason;
      },
    );
  }

  /** Sends a message and lets the node answer; returns the messages with its seq. */
  async say(message: Message): Promise<Message[]> {
    const before = this.heard.length;
    await this.raw(encodeFrame(encodeMessage(message)));
    return this.heard.slice(before).flatMap(({ message: came }) => (came.seq === message.seq ? came : []));
  }

  async raw(bytes: Uint8Array): Promise<void> {
    await this.#link.write(bytes);
    await settle();
  }

  /** Every received message of a type, oldest first. */
  all<N extends MessageName>(type: N): MessageOf<N>[] {
    return this.heard.flatMap(({ message }) => (message.type === type ? [message as MessageOf<N>] : []));
  }

  /** Arrival times of the messages of a type. */
  times(type: MessageName): number[] {
    return this.heard.flatMap(({ message, at }) => (message.type === type ? [at] : []));
  }

  /** The last message of a type. @throws Error when none arrived */
  last<N extends MessageName>(type: N): MessageOf<N> {
    const found = this.all(type).at(-1);
    if (!found) throw new Error(`no ${type} came`);
    return found;
  }

  /** Acknowledges the last HELLO. */
  async acknowledge(): Promise<void> {
    await this.say({ type: "HELLO_ACK", seq: this.last("HELLO").seq, info: { v: 1, hub: SCRIPTED_HUB_ID } });
  }

  forget(): void {
    this.heard.length = 0;
  }

  close(): void {
    this.#link.close();
  }
}

function failed(noise: unknown): void {
  throw new Error(`the node sent ${JSON.stringify(noise)}`);
}
