/**
 * What the fuzzer sends in good frames: well-formed messages, as a careless hub or node might send them, and misshapen bodies that pass the
 * CRC and reach the decoder and the code behind it.
 */
import { pick, type Random, randomInteger } from "@porchlight/shared/kernel";
import {
  type Encodable,
  encodeCbor,
  MAX_FRAME_LIMIT,
  MESSAGES,
  type Message,
  type MessageName,
  nextSeq,
  type WireAddress,
} from "@porchlight/shared/wire";
import type { Sender } from "../capture/capture.ts";
import { bytes } from "../conform/bytes.ts";

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

/** Invalid types and seqs. */
const NO_NUMBERS = [
  "20",
  "F90000",
  "F6",
  "60",
  "80",
  "A0",
  "1A00010000",
  "1B0000000100000000",
  "190100",
  "18FF",
] as const;
/** Array heads with a wrong length, or none. */
const HEADS = ["80", "81", "82", "88", "97", "98FF", "9AFFFFFFFF", "9BFFFFFFFFFFFFFFFF", "9F", "A2", "62"] as const;

/** The body of a well-formed message. */
export function bodyOf(fields: Fields): Uint8Array {
  return join(fields.map((field) => encodeCbor(field)));
}

/** The body of a message that is misshapen in a random way. */
export function misshapen(random: Random, fields: Fields): Uint8Array {
  const items = fields.map((field) => encodeCbor(field));
  const at = randomInteger(random, items.length);
  const strange = () => bytes(STRANGE_ITEMS[randomInteger(random, STRANGE_ITEMS.length)] ?? "00");
  const body = join(items);
  const where = randomInteger(random, body.length);
  const bit = 1 << randomInteger(random, 8);
  return pick<() => Uint8Array>(random, [
    () => join(items.with(at, strange())),
    () => join(items.with(at, strange())),
    () => join(items.with(at, items[randomInteger(random, items.length)] ?? strange())),
    () => join(items.with(randomInteger(random, 2), bytes(pick(random, NO_NUMBERS)))),
    () => join(items.toSpliced(at, 1)),
    () => join([...items, ...Array.from({ length: pick(random, [1, 2, 20, 300]) }, () => Uint8Array.of(0))]),
    () => join([...items, strange()]),
    () => bytes(pick(random, HEADS), ...items),
    () => bytes("9F", ...items, "FF"),
    () => bytes(body, new Uint8Array(1 + randomInteger(random, 4))),
    () => bytes(body, strange()),
    () => body.slice(0, where),
    () => body.map((byte, each) => (each === where ? byte ^ bit : byte)),
    strange,
  ])();
}

/** An array of items, with the shortest head. */
function join(items: readonly Uint8Array[]): Uint8Array {
  const { length } = items;
  const head =
    length < 24 ? bytes(0x80 | length) : length < 0x100 ? bytes(0x98, length) : bytes(0x99, length >> 8, length & 0xff);
  return bytes(head, ...items);
}

/**
 * CBOR items that no honest sender produces: a decoder must reject them, or accept them without harm. RFC 8949, and C4 to C8 of the
 * protocol.
 */
const deep = (levels: number) => `${"81".repeat(levels)}00`;

/** Items in hex. */
const STRANGE_ITEMS: readonly string[] = [
  // Lengths beyond any memory, or beyond the end of the frame.
  ...["7BFFFFFFFFFFFFFFFF", "7A7FFFFFFF", "79FFFF", "7820", "5BFFFFFFFFFFFFFFFF", "5A7FFFFFFF", "41DB"],
  ...["9BFFFFFFFFFFFFFFFF", "9A7FFFFFFF", "98FF", "BBFFFFFFFFFFFFFFFF", "BA7FFFFFFF", "B8FF"],
  // Indefinite lengths, and missing ends.
  ...["9F", "BF", "5F", "7F", "FF", "9FFF", "BFFF"],
  // Reserved heads, tags and simple values.
  ...["1C", "3D", "5E", "7C", "9D", "BE", "FC", "C000", "D9D9F700", "DBFFFFFFFFFFFFFFFF00", "F7", "F820", "F8FF", "E0"],
  // Numbers at the ends of their ranges.
  ...[
    "1BFFFFFFFFFFFFFFFF",
    "3BFFFFFFFFFFFFFFFF",
    "1B001FFFFFFFFFFFFF",
    "1B0020000000000000",
    "1A80000000",
    "1AFFFFFFFF",
  ],
  ...["F97E00", "F97C00", "F90001", "FA7F800000", "FAFFC00000", "FB7FEFFFFFFFFFFFFF", "FBFFF0000000000000"],
  // Invalid texts, invalid keys, duplicate keys, and a key with a meaning for a careless host.
  ...["61FF", "62C328", "63EDA080", "6100", "A2616100616101", "A10000", "A1", "A1695F5F70726F746F5F5FA0"],
  ...[deep(7), deep(8), deep(9), deep(200)],
];
