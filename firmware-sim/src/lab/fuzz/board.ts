/** The board under fuzzing: the fuzzer plays its hub, greets it, acknowledges its reports, and notices when it boots on its own. */
import type { Clock } from "@porchlight/shared/kernel";
import {
  type ByteLink,
  decodeServices,
  type HelloInfo,
  type Message,
  type MessageOf,
  TIMES,
  type WireAddress,
  wireAddress,
} from "@porchlight/shared/wire";
import type { Vocabulary } from "./inputs.ts";
import { FuzzLine, type OnPassed } from "./line.ts";
import { comeBack, type Health, isAnotherBoot, type Peer, pongs, type Sightings } from "./peer.ts";

export interface BoardOptions {
  readonly clock: Clock;
  /** Opens a line to it without a reset. @throws Error when there is no answer */
  readonly open: () => Promise<ByteLink>;
  /** Resets it, like its button. */
  readonly reset?: (() => Promise<void>) | undefined;
  /** Time of a byte on its line, ms; 0 for a line without a fixed speed. */
  readonly msPerByte?: number | undefined;
}

const HUB = "02-50-4C-00-00-FE";
/** Number of WHOs, a second apart: one would be enough (S3), but a watchdog may have to act first, and then the board boots. */
const CALLS = 12;
/** Maximum number of places and parts of descriptions to search for names. */
const MOST_PLACES = 4;
const MOST_PARTS = 8;

export class FuzzedBoard implements Peer {
  readonly side = "hub";
  readonly sightings: Sightings = { closed: 0, recovered: 0 };
  words: Vocabulary = { addresses: [], nodeId: "", devices: [], boot: 0 };
  onPassed: OnPassed = () => undefined;
  readonly #options: BoardOptions;
  #line: FuzzLine | undefined;
  #hello: HelloInfo | undefined;
  #isRebooted = false;
  #isOver = false;
  #seq = 0xff00;
  #bytes = 0;

  constructor(options: BoardOptions) {
    this.#options = options;
  }

  /** @throws Error with the reason why no line could ever be opened */
  async meet(): Promise<boolean> {
    this.#hello = undefined;
    if (this.#line) await this.#open();
    else this.#use(await this.#options.open());
    const isThere = (await this.#greets()) && (await this.#pongs());
    this.#isRebooted = false;
    if (isThere && this.words.addresses.length === 0) await this.#learn();
    return isThere;
  }

  /** Without a reset command the board may still have recovered on its own. */
  async renew(): Promise<boolean> {
    this.#line?.close();
    await this.#options.reset?.();
    return !this.#isOver && this.meet();
  }

  async send(bytes: Uint8Array): Promise<void> {
    this.#bytes += bytes.length;
    await this.#line?.send(bytes, true);
  }

  async look(): Promise<Health> {
    if (await this.#pongs()) return this.#verdict();
    if (this.#isOver) return { kind: "gone", reason: "the connection was closed" };
    const isClosed = this.#line?.closed !== undefined;
    if (isClosed) this.sightings.closed += 1;
    const gone = await this.#open();
    if (gone !== undefined) return { kind: "gone", reason: gone };
    if (!(await this.#greets()) || !(await this.#pongs())) return { kind: "hangs" };
    if (!isClosed) this.sightings.recovered += 1;
    return this.#verdict();
  }

  async isSilent(): Promise<boolean> {
    return !(await this.#pongs()) && this.#line?.closed === undefined;
  }

  close(): void {
    this.#isOver = true;
    this.#line?.close();
  }

  /** Opens a new line in place of the last; returns why that failed, if it did. */
  async #open(): Promise<string | undefined> {
    this.#line?.close();
    const { clock, open } = this.#options;
    const opened = await comeBack(clock, open, () => this.#isOver);
    if (opened.kind === "gone") return opened.reason;
    this.#use(opened.link);
    return undefined;
  }

  #use(link: ByteLink): void {
    const { clock } = this.#options;
    const onPassed: OnPassed = (...passed) => this.onPassed(...passed);
    this.#line = new FuzzLine({ clock, link, onPassed, onMessage: (message) => this.#answer(message) });
    if (this.#isOver) this.#line.close();
  }

  /** Whether it sends HELLO when called. */
  async #greets(): Promise<boolean> {
    for (let call = 0; call < CALLS && this.#line?.closed === undefined; call++) {
      const who: Message = { type: "WHO", seq: this.#nextSeq() };
      if (await this.#line?.ask(who, TIMES.hello + this.#late(), ({ type }) => type === "HELLO")) return true;
    }
    return false;
  }

  #verdict(): Health {
    const kind = this.#isRebooted ? "rebooted" : "answers";
    this.#isRebooted = false;
    return { kind };
  }

  /** Sends an honest hub's automatic answers. */
  #answer(message: Message): void {
    switch (message.type) {
      case "HELLO":
        if (isAnotherBoot(this.#hello?.boot, message)) this.#isRebooted = true;
        this.#hello = message.info;
        void this.#line?.say({ type: "HELLO_ACK", seq: message.seq, info: { v: 1, hub: HUB } });
        break;
      case "REPORT":
      case "CHANGED":
        void this.#line?.say({ type: "ACK", seq: message.seq });
        break;
      case "PING":
        void this.#line?.say({ type: "PONG", seq: message.seq });
        break;
    }
  }

  /** Reads its descriptions, so that inputs can name its properties. */
  async #learn(): Promise<void> {
    const hello = this.#hello;
    if (!hello) return;
    const addresses: WireAddress[] = [];
    for (const [place, edgeId] of hello.devices.slice(0, MOST_PLACES).entries()) {
      if (edgeId === null) continue;
      const { services } = decodeServices(await this.#describe(place));
      for (const { service, index, properties } of services)
        for (const { property } of properties) addresses.push(wireAddress(place, { service, index, property }));
    }
    this.words = { addresses, nodeId: hello.id, devices: hello.devices, boot: hello.boot };
  }

  async #describe(device: number): Promise<MessageOf<"DESCRIPTION">[]> {
    const parts: MessageOf<"DESCRIPTION">[] = [];
    for (let part = 0; part < Math.min(parts[0]?.parts ?? 1, MOST_PARTS); part++) {
      const ask: Message = { type: "DESCRIBE", seq: this.#nextSeq(), device, part };
      const stated = await this.#line?.ask(ask, TIMES.pong + this.#late(), ({ seq }) => seq === ask.seq);
      if (stated?.type !== "DESCRIPTION") break;
      parts.push(stated);
    }
    return parts;
  }

  async #pongs(): Promise<boolean> {
    if (!this.#line) return false;
    const late = this.#late();
    const seq = this.#nextSeq(3);
    return pongs(this.#line, seq, late);
  }

  /** Time that inputs since the last check may still need on the line. */
  #late(): number {
    const late = this.#bytes * (this.#options.msPerByte ?? 0);
    this.#bytes = 0;
    return late;
  }

  #nextSeq(count = 1): number {
    this.#seq = 0xff00 | ((this.#seq + count) & 0xff);
    return this.#seq;
  }
}
