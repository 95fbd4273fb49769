/** Well-formed messages, as a careless hub or node might send them: valid and invalid names, every type, values of every kind. */
import { pick, type Random, randomInteger } from "@porchlight/shared/kernel";
import {
  type Encodable,
  MAX_FRAME_LIMIT,
  MESSAGES,
  type Message,
  type MessageName,
  nextSeq,
  type WireAddress,
} from "@porchlight/shared/wire";
import type { Sender } from "../capture/capture.ts";

/** Type, seq and further items. */
export type Fields = readonly Encodable[];

/** Names to use in messages. */
export interface Vocabulary {
  readonly addresses: readonly WireAddress[];
  /** edgeId of the node that is played or addressed. */
  readonly nodeId: string;
  readonly devices: readonly (string | null)[];
  /** `boot` in the HELLO of a played node. */
  readonly boot: number;
}

const NAMES = ["Switch", "on", "LightLevel", "level", "Button", "event", "Identify", "active", "Nothing", "x"] as const;
const OTHER_IDS = ["02-50-4C-FF-00-01", "02-50-4C-FF-00-01-02-03", "02-50-4c-ff-00-03", "", null] as const;
const NUMBERS = [0, 1, -1, 23, 24, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER] as const;
const FRACTIONS = [0.5, -0.1, 21.3, 1e300, -Number.MAX_SAFE_INTEGER] as const;
const TEXTS = ["", "press", "none", "ü€𝄞", "x".repeat(64), "x".repeat(200), "%s%n", "a\u0000b"] as const;
const SECONDS = [0, 1, 30, 255, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32] as const;
const DEEPEST = 3;

export class Honest {
  readonly #random: Random;
  readonly #side: Sender;
  readonly #words: Vocabulary;
  #seq: number;

  constructor(random: Random, side: Sender, words: Vocabulary) {
    this.#random = random;
    this.#side = side;
    this.#words = words;
    this.#seq = randomInteger(random, 0x10000);
  }

  /** A message of the played side; its seq usually counts up. */
  next(): Fields {
    const seq = this.#nextSeq();
    return this.#side === "hub" ? this.#ofHub(seq) : this.#ofNode(seq);
  }

  /** A message that starts or ends a conversation at any time, or one that only the other side may send. */
  outOfTurn(): Fields {
    const seq = this.#nextSeq();
    return this.#pick<() => Fields>([
      () => [type("WHO"), seq],
      () => [type("HELLO"), seq, this.#hello()],
      () => [type("HELLO_ACK"), seq, this.#helloAck()],
      () => [type("PING"), seq],
      () => (this.#side === "hub" ? this.#ofNode(seq) : this.#ofHub(seq)),
    ])();
  }

  /** An answer to a request of a hub, with its seq and any content; undefined for a message without an answer. */
  answerTo(request: Message): Fields | undefined {
    const { seq } = request;
    switch (request.type) {
      case "DESCRIBE": {
        const parts = this.#pick([1, 1, 2, request.part + 1, 64, 70]);
        return [type("DESCRIPTION"), seq, request.device, request.part, parts, this.#services(), this.#about()];
      }
      case "READ":
        return this.#pick<Fields>([[type("VALUE"), seq, this.#value(0)], this.#answer(seq)]);
      case "WRITE":
        return [type("WRITTEN"), seq, this.#value(0)];
      default:
        return undefined;
    }
  }

  #ofHub(seq: number): Fields {
    const address = this.#address();
    const [place = 0] = address;
    return this.#pick<() => Fields>([
      () => [type("READ"), seq, ...address],
      () => [type("WRITE"), seq, ...address, this.#value(0)],
      () => [type("WRITE"), seq, ...address, this.#value(0)],
      () => [type("DESCRIBE"), seq, place, this.#pick([0, 0, 1, 63, 64, 2 ** 32])],
      () => [type("IDENTIFY"), seq, place, this.#pick(SECONDS)],
      () => [type("HELLO_ACK"), seq, this.#helloAck()],
      () => this.#answer(seq),
    ])();
  }

  #ofNode(seq: number): Fields {
    return this.#pick<() => Fields>([
      () => [type("REPORT"), seq, ...this.#address(), this.#value(0)],
      () => [type("REPORT"), seq, ...this.#address(), this.#value(0)],
      () => [type("CHANGED"), seq, this.#places()],
      () => [type("DESCRIPTION"), seq, 0, this.#pick([0, 0, 1]), this.#pick([0, 1, 2, 70]), this.#services(), {}],
      () => [type("VALUE"), seq, this.#value(0)],
      () => [type("WRITTEN"), seq, this.#value(0)],
      () => this.#answer(seq),
    ])();
  }

  /** Services of a DESCRIPTION, including some that a hub must leave out. */
  #services(): Encodable[] {
    return Array.from({ length: randomInteger(this.#random, 4) }, () => {
      const types = ["boolean", "integer", "number", "string", "json", "x"];
      const own = {
        n: this.#name(),
        t: this.#pick(types),
        a: this.#pick([0, 1, 7, 8]),
        lo: this.#value(DEEPEST),
        hi: 1,
      };
      return { s: this.#name(), i: this.#pick([0, 0, 1, 999, 1000]), p: [this.#name(), own, this.#value(1)] };
    });
  }

  #about(): Encodable {
    return { mf: this.#pick(TEXTS), nm: this.#value(DEEPEST), later: this.#value(0) };
  }

  #answer(seq: number): Fields {
    return this.#pick<() => Fields>([
      () => [type("ACK"), seq],
      () => [type("PONG"), seq],
      () => [type("ERROR"), seq, this.#pick([0, 1, 9, 11, 12, 77, 2 ** 32]), this.#pick(TEXTS)],
    ])();
  }

  #hello(): Encodable {
    const { nodeId, boot: own } = this.#words;
    // Usually its own boot: a hub describes a node again only once in 5 s, and accepts almost nothing from a node that it has not
    // described.
    const id = this.#chance(50) ? this.#pick(OTHER_IDS) : nodeId;
    const boot = this.#chance(100) ? own + 1 : own;
    const max = this.#pick([MAX_FRAME_LIMIT, 1024, 128, 127, 4096]);
    const win = this.#pick([1, 8, 0, 9]);
    return { v: this.#chance(100) ? 2 : 1, id, devices: this.#places(), boot, max, win };
  }

  #helloAck(): Encodable {
    return { v: this.#chance(4) ? 2 : 1, hub: this.#pick(["02-50-4C-00-00-FE", "", 7]), now: this.#pick(NUMBERS) };
  }

  #places(): Encodable {
    if (!this.#chance(30)) return [...this.#words.devices];
    return Array.from({ length: this.#pick([0, 1, 2, 128, 129]) }, () =>
      this.#pick([...this.#words.devices, ...OTHER_IDS]),
    );
  }

  #address(): [number, ...Encodable[]] {
    const known = this.#words.addresses[randomInteger(this.#random, this.#words.addresses.length)];
    if (known && !this.#chance(4)) return [known.device, known.service, known.index, known.property];
    return [this.#pick([0, 0, 1, 127, 128, 2 ** 32]), this.#name(), this.#pick([0, 0, 1, 999, 1000]), this.#name()];
  }

  #name(): string {
    return this.#pick([...NAMES, this.#pick(TEXTS)]);
  }

  #value(depth: number): Encodable {
    const plain: (() => Encodable)[] = [
      () => this.#chance(2),
      () => null,
      () => this.#pick([...NUMBERS, ...FRACTIONS]),
      () => randomInteger(this.#random, 101),
      () => this.#pick(TEXTS),
    ];
    if (depth >= DEEPEST) return this.#pick(plain)();
    const nested = [() => [this.#value(depth + 1)], () => ({ [this.#name()]: this.#value(depth + 1) })];
    return this.#pick([...plain, ...nested])();
  }

  #nextSeq(): number {
    if (!this.#chance(8)) this.#seq = nextSeq(this.#seq);
    return this.#seq;
  }

  #chance(one: number): boolean {
    return randomInteger(this.#random, one) === 0;
  }

  #pick<T>(of: readonly T[]): T {
    const [first, ...rest] = of;
    if (first === undefined) throw new RangeError("there is nothing to pick from");
    return pick(this.#random, [first, ...rest]);
  }
}

function type(name: MessageName): number {
  return MESSAGES[name].type;
}
