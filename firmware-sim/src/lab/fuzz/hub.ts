/** The hub under fuzzing: the fuzzer plays a node with a lamp and a button, and answers some requests in odd ways. */
import { type Clock, type Random, randomInteger, seededRandom } from "@porchlight/shared/kernel";
import { type ByteLink, encodeFrame, type Message, TIMES } from "@porchlight/shared/wire";
import { NODE_ID, PLAIN, playedValue } from "../conform/hub/persona.ts";
import { bodyOf, Honest, misshapen, type Vocabulary } from "./inputs.ts";
import { FuzzLine, type OnPassed } from "./line.ts";
import { type Health, type Peer, pongs, type Sightings } from "./peer.ts";

/** A hub at the end of a line. */
export interface HubPlace {
  readonly link: ByteLink;
  /** Resolves with the reason when its process has ended; never for a hub that the user started. */
  readonly ended: Promise<string>;
}

export interface FuzzHubOptions {
  readonly clock: Clock;
  /** Seed of the odd answers: the same at every start. */
  readonly seed: number;
  /** Source of the played node's boots. */
  readonly random: Random;
  /** Time limit for its first call, ms. */
  readonly patience: number;
  /** Opens its line; further calls restart the hub where that is possible. */
  readonly start: () => Promise<HubPlace>;
  readonly canRenew: boolean;
}

/** Five seconds of silence, three PINGs, WHO; and the time to open the port again. */
const CALLS_WITHIN = 12_000;
const HELLOS = 3;
/** A hub describes a new node at once, else within five seconds (X1). */
const READ_WITHIN = 6000;
/** Pause after each check, ms: a hub drops most of what arrives faster (X2). */
const REST = 100;
/** One in this number of answers is odd. */
const ODD = 4;

const ADDRESSES: Vocabulary["addresses"] = [
  { device: 0, service: "Switch", index: 0, property: "on" },
  { device: 0, service: "LightLevel", index: 0, property: "level" },
  { device: 0, service: "Lab", index: 0, property: "probe" },
  { device: 1, service: "Button", index: 0, property: "event" },
  { device: 1, service: "Battery", index: 0, property: "percent" },
];

export class Hub implements Peer {
  readonly side = "node";
  readonly sightings: Sightings = { closed: 0, recovered: 0 };
  words: Vocabulary = { addresses: ADDRESSES, nodeId: NODE_ID, devices: PLAIN.devices, boot: 0 };
  onPassed: OnPassed = () => undefined;
  readonly renew: Peer["renew"];
  readonly #options: FuzzHubOptions;
  #line: FuzzLine | undefined;
  #odd: { readonly random: Random; readonly answers: Honest } | undefined;
  #ended: string | undefined;
  #isRead = false;
  #seq = 0xff00;

  constructor(options: FuzzHubOptions) {
    this.#options = options;
    this.renew = options.canRenew ? () => this.meet() : undefined;
  }

  async meet(): Promise<boolean> {
    const { clock, start, patience, seed, random } = this.#options;
    this.#line?.close();
    this.words = { ...this.words, boot: 1 + randomInteger(random, 0xfffffffe) };
    const odd = seededRandom(seed);
    this.#odd = { random: odd, answers: new Honest(odd, "node", this.words) };
    const { link, ended } = await start();
    const onPassed: OnPassed = (...passed) => this.onPassed(...passed);
    const line = new FuzzLine({ clock, link, onPassed, onMessage: (message) => this.#answer(message) });
    this.#line = line;
    this.#ended = undefined;
    this.#isRead = false;
    void ended.then((how) => {
      if (this.#line !== line) return;
      this.#ended = how;
      line.close();
    });
    const called = await line.next(patience, ({ type }) => type === "WHO");
    if (called === undefined || !(await this.#greets())) return false;
    // A hub accepts almost nothing from a node that it has not described.
    if (!this.#isRead) await line.next(READ_WITHIN, ({ type }) => type === "READ");
    return true;
  }

  get ended(): string | undefined {
    return this.#ended;
  }

  async send(bytes: Uint8Array): Promise<void> {
    await this.#line?.send(bytes, true);
  }

  async look(): Promise<Health> {
    if (await this.#pongs()) {
      await this.#line?.next(REST, () => false);
      return { kind: "answers" };
    }
    // After such a silence a hub in any state calls, on this line or on a newly opened one.
    await this.#line?.next(CALLS_WITHIN, () => true);
    const greets = await this.#greets();
    if (this.#line?.closed !== undefined) return { kind: "gone", reason: this.#ended ?? this.#line.closed };
    if (!greets) return { kind: "hangs" };
    this.sightings.recovered += 1;
    return { kind: "answers" };
  }

  async isSilent(): Promise<boolean> {
    return !(await this.#pongs()) && this.#line?.closed === undefined;
  }

  close(): void {
    this.#line?.close();
  }

  async #pongs(): Promise<boolean> {
    this.#seq = 0xff00 | ((this.#seq + 3) & 0xff);
    return this.#line !== undefined && pongs(this.#line, this.#seq, 0);
  }

  /** Whether the hub acknowledges a HELLO of the node. */
  async #greets(): Promise<boolean> {
    for (let hello = 0; hello < HELLOS; hello++) {
      const isAck = ({ type }: Message) => type === "HELLO_ACK";
      if (await this.#line?.ask(this.#hello(), TIMES.hello, isAck)) return true;
    }
    return false;
  }

  #hello(): Message {
    const { win, max } = PLAIN;
    const { boot, nodeId: id, devices } = this.words;
    this.#seq = 0xff00 | ((this.#seq + 1) & 0xff);
    return { type: "HELLO", seq: this.#seq, info: { v: 1, id, devices, boot, max, win } };
  }

  /** The automatic messages of the node: usually an honest node's. */
  #answer(message: Message): void {
    const odd = this.#odd;
    this.#isRead ||= message.type === "READ";
    const fields = odd?.answers.answerTo(message);
    if (odd && fields && randomInteger(odd.random, ODD) === 0) {
      const body = randomInteger(odd.random, 2) === 0 ? bodyOf(fields) : misshapen(odd.random, fields);
      void this.#line?.send(encodeFrame(body));
      return;
    }
    const answer = this.#honest(message);
    if (answer) void this.#line?.say(answer);
  }

  #honest(message: Message): Message | undefined {
    const { seq } = message;
    switch (message.type) {
      case "WHO":
        return this.#hello();
      case "PING":
        return { type: "PONG", seq };
      case "DESCRIBE": {
        const { device, part } = message;
        const parts = PLAIN.parts[PLAIN.devices[device] ?? ""] ?? [];
        const { services = [], about } = parts[part] ?? {};
        return { type: "DESCRIPTION", seq, device, part, parts: parts.length, services, about };
      }
      case "READ":
        return { type: "VALUE", seq, value: playedValue(message.service, message.property) };
      case "WRITE":
        return { type: "WRITTEN", seq, value: message.value };
      case "IDENTIFY":
        return { type: "ACK", seq };
      default:
        return undefined;
    }
  }
}
