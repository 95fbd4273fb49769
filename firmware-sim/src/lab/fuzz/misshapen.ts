/** Misshapen bodies in good frames: they pass the CRC and reach the decoder and the code behind it. */
import { pick, type Random, randomInteger } from "@porchlight/shared/kernel";
import { encodeCbor } from "@porchlight/shared/wire";
import { bytes } from "../conform/bytes.ts";
import type { Fields } from "./honest.ts";

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
