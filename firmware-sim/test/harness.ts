/** porchlight.c in a process of its own, under a test's hands: the bytes, the time and the values are the test's. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import type { Value } from "@porchlight/shared/model";
import { decodeBody, encodeCbor, encodeFrame, encodeMessage, FrameReader, type Message } from "@porchlight/shared/wire";

export class Harness implements AsyncDisposable {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;
  readonly #lines: Interface;
  #frames = new FrameReader(4095);
  #errors = "";
  #now = 0;

  constructor(program: string) {
    this.#process = spawn(program, { stdio: "pipe" });
    this.#lines = createInterface({ input: this.#process.stdout });
    this.#answers = this.#lines[Symbol.asyncIterator]();
    this.#process.stderr.on("data", (text) => {
      this.#errors += text;
    });
  }

  /** One line there, one line back. @throws what a sanitizer says when the program has ended */
  async ask(line: string): Promise<string> {
    this.#process.stdin.write(`${line}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error(`the program ended at "${line.slice(0, 200)}": ${this.#errors}`);
    return value;
  }

  /** A node that has just booted. */
  async boot(seq: number, boot = 9): Promise<void> {
    this.#frames = new FrameReader(4095);
    if ((await this.ask(`start ${seq} ${boot} ${this.#now}`)) !== "0") throw new Error("the node could not be started");
  }

  /** Lets time go by in steps of 10 ms, and gives what the node says meanwhile. */
  async pass(ms: number): Promise<Message[]> {
    const stated: Message[] = [];
    for (const end = this.#now + ms; this.#now < end; ) {
      this.#now = Math.min(this.#now + 10, end);
      stated.push(...this.#read(await this.ask(`tick ${this.#now}`)));
    }
    return stated;
  }

  /** Lets time go by at once, with nobody looking. */
  async sleep(ms: number): Promise<void> {
    this.#now = (this.#now + ms) % 2 ** 32;
    // Whoever is there still: a silence of weeks would be another test.
    await this.hear({ type: "PING", seq: 1 });
  }

  /** What the node says without any time passing: to a tick now. */
  async now(): Promise<Message[]> {
    return this.#read(await this.ask(`tick ${this.#now}`));
  }

  /** Hands in a message and gives what comes at once. */
  async hear(message: Message): Promise<Message[]> {
    return this.bytes(encodeFrame(encodeMessage(message)));
  }

  async bytes(bytes: Uint8Array): Promise<Message[]> {
    const left = await this.ask(`in ${this.#now} ${Buffer.from(bytes).toString("hex")}`);
    if (left !== "0") throw new Error(`${left} bytes were not taken`);
    return this.#read(await this.ask("out"));
  }

  /** Booted, greeted and acknowledged. @returns the seq of its HELLO */
  async live(seq = 100): Promise<number> {
    await this.boot(seq);
    const [hello] = await this.now();
    if (hello?.type !== "HELLO") throw new Error("there was no HELLO");
    await this.hear({ type: "HELLO_ACK", seq: hello.seq, info: { v: 1, hub: "02-50-4C-00-00-01" } });
    return hello.seq;
  }

  /** What a property is, from now on; it says nothing of it by itself. */
  async set(slot: number, value: Value): Promise<void> {
    await this.ask(`value ${slot} ${Buffer.from(encodeCbor(value)).toString("hex")}`);
  }

  async state(): Promise<{ live: boolean; acted: number; damaged: number; lostEvents: number; unsendable: number }> {
    const [live, acted = 0, damaged = 0, lostEvents = 0, unsendable = 0] = (await this.ask("state"))
      .split(" ")
      .map(Number);
    return { live: live === 1, acted, damaged, lostEvents, unsendable };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.stdin.end();
    await ended;
    this.#lines.close();
    if (this.#errors !== "") throw new Error(this.#errors);
  }

  #read(hex: string): Message[] {
    return this.#frames.push(Buffer.from(hex, "hex")).map((event) => {
      const body = event.kind === "frame" ? decodeBody(event.body) : event;
      if (body.kind !== "message") throw new Error(`the node sent ${JSON.stringify(body)}: ${hex}`);
      return body.message;
    });
  }
}
