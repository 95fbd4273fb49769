/** Section 3: the CBOR profile, as the party under test sends and accepts it. */
import { bytes, frameOf, pingWith, seqBytes, wide, wideText } from "../bytes.ts";
import { HUB_ID, type NodeBench } from "../node-bench.ts";
import type { Partner } from "../partner.ts";
import { Broken, type Rule } from "../rule.ts";
import { anyPlace, canRead, targets } from "../targets.ts";

/** All received bodies are checked until the end of the proof; this only makes sure that there are some. */
const heardBodies = async (bench: Partner) => {
  await bench.live();
  return undefined;
};

/** Checks that a PING with its body in another form is answered. @throws Broken */
async function takes(bench: Partner, body: (seq: number) => Uint8Array, what: string): Promise<void> {
  const seq = bench.newSeq();
  await bench.pongs(frameOf(body(seq)), seq, `${what} must be accepted; PING ${seq} was not answered.`);
}

/** A double that holds a whole number. */
function double(number: number): Uint8Array {
  const out = Buffer.alloc(9, 0xfb);
  out.writeDoubleBE(number, 1);
  return out;
}

function single(number: number): Uint8Array {
  const out = Buffer.alloc(5, 0xfa);
  out.writeFloatBE(number, 1);
  return out;
}

/** Items that no receiver may accept. */
const BAD_ITEMS: readonly (readonly [string, string])[] = [
  ["a tag", "C1 00"],
  ["a byte string", "41 00"],
  ["undefined", "F7"],
  ["another simple value", "F8 20"],
  ["half-precision NaN", "F9 7E 00"],
  ["single-precision infinity", "FA 7F 80 00 00"],
  ["double-precision NaN", "FB 7F F8 00 00 00 00 00 00"],
  ["an array of indefinite length", "9F FF"],
  ["a text of indefinite length", "7F 61 61 FF"],
  ["an integer beyond 2^53-1", "1B 00 20 00 00 00 00 00 00"],
  ["an integer below -(2^53-1)", "3B 00 1F FF FF FF FF FF FF"],
  ["a text that is not UTF-8", "62 C3 28"],
  ["a map with a duplicate key", "A2 61 61 01 61 61 02"],
  ["a key that is not text", "A1 01 02"],
  ["nine levels", "81 81 81 81 81 81 81 80"],
  ["an item of a reserved kind", "1C"],
];

/** Rules for both sides; C5 has one for each side. */
export const CBOR: readonly Rule<Partner>[] = [
  { id: "C1", looksAt: "every integer and length that is sent", run: heardBodies },
  { id: "C2", looksAt: "every number that is sent", run: heardBodies },
  { id: "C3", looksAt: "the order of the keys in every map that is sent", run: heardBodies },
  { id: "C4", looksAt: "every item that is sent", run: heardBodies },
  {
    id: "C6",
    looksAt: "a message that nests eight levels deep, and every message that is sent",
    async run(bench) {
      await bench.live();
      await bench.takesFurtherFields();
      await takes(bench, (seq) => pingWith(seq, "81 81 81 81 81 81 80"), "A message of eight levels");
      return undefined;
    },
  },
  { id: "C7", looksAt: "every text and map that is sent", run: heardBodies },
  {
    id: "C8",
    looksAt: "every kind of bad CBOR in a frame with a valid CRC, and the key __proto__",
    async run(bench) {
      await bench.live();
      for (const [what, item] of BAD_ITEMS)
        await bench.ignores(frameOf(pingWith(bench.newSeq(), item)), `A body with ${what}`);
      await bench.takesFurtherFields();
      await takes(
        bench,
        (seq) => pingWith(seq, "A1 69", Buffer.from("__proto__"), "A0"),
        "A map with the key __proto__",
      );
      return undefined;
    },
  },
];

export const NODE_FORMS: Rule<NodeBench> = {
  id: "C5",
  looksAt: "integers, lengths and floats of every width, keys in another order",
  async run(bench) {
    await bench.live();
    await takesEveryWidth(bench);
    await readsInOtherForm(bench);
    await acknowledgesInOtherOrder(bench);
    return undefined;
  },
};

/** @throws Broken when a PING is not answered because its numbers have another width */
export async function takesEveryWidth(bench: Partner): Promise<void> {
  for (const width of [2, 4, 8] as const)
    await takes(bench, (seq) => bytes("82 0B", wide(seq, width)), `A seq of ${width} bytes`);
  await takes(bench, (seq) => bytes("82 18 0B", seqBytes(seq)), "A type with an additional byte");
  await takes(bench, (seq) => bytes("9A 00 00 00 02 0B", seqBytes(seq)), "An array with a length of four bytes");
  await takes(bench, (seq) => bytes("82 F9 49 80", seqBytes(seq)), "A type in half precision");
  await takes(bench, (seq) => bytes("82", single(11), seqBytes(seq)), "A type in single precision");
  await takes(bench, (seq) => bytes("82 0B", double(seq)), "A seq in double precision");
  await bench.takesFurtherFields();
  await takes(bench, (seq) => pingWith(seq, wideText("ignored", 8)), "A text with a length of eight bytes");
}

/** A READ with every part in another form than the shortest. */
async function readsInOtherForm(bench: NodeBench): Promise<void> {
  const [target] = targets(bench, canRead);
  if (!target) return;
  const seq = bench.newSeq();
  const from = bench.log.end;
  const mark = bench.mark;
  const address = [
    double(target.device),
    wideText(target.service, 2),
    wide(target.index, 4),
    wideText(target.property, 4),
  ];
  await bench.send(frameOf("98 06 05", seqBytes(seq), ...address));
  if (await bench.next(mark, 2500, ({ message }) => message.seq === seq && message.type === "VALUE")) return;
  throw new Broken("A READ with numbers and texts in longer forms must be answered with VALUE.", bench.log.since(from));
}

/** Checks that a HELLO_ACK with its keys in reverse order is accepted. */
async function acknowledgesInOtherOrder(bench: NodeBench): Promise<void> {
  const { message } = await bench.greet();
  const from = bench.log.end;
  bench.hasAcknowledged();
  await bench.send(
    frameOf("83 02", seqBytes(message.seq), "A2 63", Buffer.from("hub"), "71", Buffer.from(HUB_ID), "61 76 01"),
  );
  await bench.fence();
  const isLive = await bench.isLive(anyPlace(bench));
  if (!isLive) throw new Broken("A HELLO_ACK with its keys in another order must be accepted.", bench.log.since(from));
}
