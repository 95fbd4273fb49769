/** Sections 3 and 4: what a hub accepts and sends, and good frames with invalid content. */
import { type Encodable, encodeCbor, type Message } from "@porchlight/shared/wire";
import { bytes, frameOf, seqBytes, wide, wideText } from "../../bytes.ts";
import { Broken, type Rule } from "../../rule.ts";
import { takesEveryWidth } from "../../rules/cbor.ts";
import { noise } from "../../rules/framing.ts";
import type { HubBench } from "../hub-bench.ts";

const LEVEL = { device: 0, service: "LightLevel", index: 0, property: "level" };

/** All received messages are checked until the end of the proof; this only makes sure that there are some. */
const heard = async (bench: HubBench) => {
  await bench.live();
  return undefined;
};

/** Sends a REPORT as bytes, which must be acknowledged. @throws Broken */
async function acknowledges(bench: HubBench, body: (seq: number) => Uint8Array, what: string): Promise<void> {
  const seq = bench.newSeq();
  const mark = bench.mark;
  const from = bench.log.end;
  await bench.send(frameOf(body(seq)));
  const isAck = ({ type, seq: answered }: Message) => type === "ACK" && answered === seq;
  if (await bench.next(mark, 2500, ({ message }) => isAck(message))) return;
  throw new Broken(`${what} must be acknowledged.`, bench.log.since(from));
}

const report = (seq: number, ...more: readonly Encodable[]) =>
  encodeCbor([9, seq, 0, "LightLevel", 0, "level", 30, ...more]);

export const HUB_MESSAGES: readonly Rule<HubBench>[] = [
  { id: "M1", looksAt: "the type and seq of everything that the hub sends", run: heard },
  {
    id: "M3",
    looksAt: "fields and keys of a later version",
    async run(bench) {
      await bench.described();
      const seq = bench.newSeq();
      const later = frameOf(encodeCbor([11, seq, "later", { and: "more" }]));
      await bench.pongs(later, seq, "A PING with further fields must be answered.");
      await acknowledges(bench, (each) => report(each, "later", { x: 1 }), "A REPORT with further fields");
      const from = bench.log.end;
      const mark = bench.mark;
      const hello = bench.newSeq();
      await bench.send(frameOf(encodeCbor([1, hello, { ...bench.hello, later: [1, { x: null }] }, "later"])));
      const isAck = ({ type, seq: answered }: Message) => type === "HELLO_ACK" && answered === hello;
      if (!(await bench.next(mark, 2500, ({ message }) => isAck(message))))
        throw new Broken("A HELLO with further keys and fields must be acknowledged.", bench.log.since(from));
      return undefined;
    },
  },
  { id: "M4", looksAt: "the fields of everything that the hub sends", run: heard },
  {
    id: "M8",
    looksAt: "eight REPORTs at once, with a PING after them",
    async run(bench) {
      await bench.described();
      const from = bench.log.end;
      const mark = bench.mark;
      const seqs = Array.from({ length: 8 }, () => bench.newSeq());
      for (const [value, seq] of seqs.entries()) void bench.say({ type: "REPORT", seq, ...LEVEL, value });
      await bench.fence();
      await bench.pass(300 + bench.jitter);
      const acks = bench.all("ACK", mark).map(({ message }) => message.seq);
      const missing = seqs.filter((seq) => !acks.includes(seq));
      if (missing.length > 0)
        throw new Broken(
          `A hub must accept eight requests at once; ${missing.length} of eight REPORTs were not acknowledged.`,
          bench.log.since(from, 24),
        );
      return undefined;
    },
  },
  {
    id: "C5",
    looksAt: "integers, lengths and floats of every width, keys in another order",
    async run(bench) {
      await bench.described();
      await takesEveryWidth(bench);
      const words = [wideText("LightLevel", 2), wide(0, 4), wideText("level", 4)];
      const form = (seq: number, ...value: readonly (string | Uint8Array)[]) =>
        bytes("98 07 09", seqBytes(seq), wide(0, 2), ...words, ...value);
      await acknowledges(bench, (seq) => form(seq, wide(20, 8)), "A REPORT with numbers in longer forms");
      await acknowledges(bench, (seq) => form(seq, "F9 4D 00"), "A REPORT of 20 in half precision");
      await acknowledges(bench, (seq) => form(seq, "FB 40 34 00 00 00 00 00 00"), "A REPORT of 20 in double precision");
      const { hello } = bench;
      if (!hello) return undefined;
      const turned = Object.fromEntries(Object.entries(hello).reverse());
      const from = bench.log.end;
      const mark = bench.mark;
      await bench.send(frameOf(encodeCbor([1, bench.newSeq(), turned])));
      if (!(await bench.next(mark, 2500, ({ message }) => message.type === "HELLO_ACK")))
        throw new Broken("A HELLO with its keys in another order must be acknowledged.", bench.log.since(from));
      return undefined;
    },
  },
  {
    id: "M11",
    looksAt: "the time in every HELLO_ACK",
    async run(bench) {
      await bench.live();
      return undefined;
    },
  },
  {
    id: "W1",
    looksAt: "bodies that are not a message",
    async run(bench) {
      await bench.live();
      const none: readonly Encodable[] = [
        { a: 11 },
        "PING",
        11,
        [],
        [11],
        ["11", 1],
        [11, "1"],
        [11, 65_536],
        [11, -1],
        [11, 1.5],
        [-11, 1],
      ];
      for (const body of none) await bench.ignores(frameOf(encodeCbor(body)), `The body ${JSON.stringify(body)}`);
      return undefined;
    },
  },
  {
    id: "W2",
    looksAt: "unknown types",
    async run(bench) {
      await bench.live();
      for (const type of [0, 17, 200, 256 + 11, 65_536 + 11]) {
        const seq = bench.newSeq();
        await bench.expectError(encodeCbor([type, seq]), seq, 1, `A message of type ${type}`);
      }
      return undefined;
    },
  },
  {
    id: "W3",
    looksAt: "REPORT and CHANGED with missing and wrong fields",
    async run(bench) {
      await bench.live();
      const bodies: readonly (readonly [string, (seq: number) => Encodable])[] = [
        ["A REPORT without a value", (seq) => [9, seq, 0, "LightLevel", 0, "level"]],
        ["A REPORT with index 1000", (seq) => [9, seq, 0, "LightLevel", 1000, "level", 1]],
        ["A REPORT whose property is a number", (seq) => [9, seq, 0, "LightLevel", 0, 5, 1]],
        ["A REPORT of a negative place", (seq) => [9, seq, -1, "LightLevel", 0, "level", 1]],
        ["A CHANGED without devices", (seq) => [14, seq]],
        ["A CHANGED whose devices are a text", (seq) => [14, seq, "none"]],
      ];
      for (const [what, body] of bodies) {
        const seq = bench.newSeq();
        await bench.expectError(encodeCbor(body(seq)), seq, 2, what);
      }
      return undefined;
    },
  },
  {
    id: "W4",
    looksAt: "requests that only a hub may send",
    async run(bench) {
      await bench.live();
      const theirs: readonly (readonly Encodable[])[] = [
        [2, 40_010, { v: 1, hub: "02-50-4C-00-00-FE" }],
        [3, 40_011, 0, 0],
        [5, 40_012, 0, "Switch", 0, "on"],
        [7, 40_013, 0, "Switch", 0, "on", true],
        [15, 40_014, 0, 1],
        [16, 40_015],
      ];
      for (const body of theirs)
        await bench.ignores(frameOf(encodeCbor(body)), `A message of type ${body[0]} from a node`);
      return undefined;
    },
  },
];

export const HUB_NOISE: Rule<HubBench> = {
  id: "F10",
  looksAt: "a million random bytes (50,000 in a quick run), some in frames with a valid CRC",
  async run(bench) {
    await bench.live();
    bench.forgetKnown();
    const total = bench.quick ? 50_000 : 1_000_000;
    await noise(bench, total);
    return `${total} bytes`;
  },
};
