/** Section 4: messages, their fields, the codes of ERROR, and good frames with invalid content. */
import { encodeCbor, type Message } from "@porchlight/shared/wire";
import { frameOf } from "../bytes.ts";
import type { NodeBench } from "../node-bench.ts";
import { Broken, type Rule } from "../rule.ts";
import { anyPlace, anyTarget, canRead, readOf, targets } from "../targets.ts";

/** All received messages are checked until the end of the proof; this only makes sure that there are some. */
const heard = async (bench: NodeBench) => {
  await bench.live();
  return undefined;
};

export const MESSAGES: readonly Rule<NodeBench>[] = [
  { id: "M1", looksAt: "the type and seq of everything that the node sends", run: heard },
  {
    id: "M2",
    looksAt: "the node's seqs over several HELLOs, and whether its answers repeat seqs of every size",
    async run(bench) {
      for (let time = 0; time < 3; time++) await bench.live();
      for (const seq of [0, 23, 24, 255, 256, 65_535]) await bench.expect({ type: "PING", seq }, "PONG");
      return undefined;
    },
  },
  {
    id: "M3",
    looksAt: "fields and keys of a later version",
    async run(bench) {
      const { message } = await bench.greet();
      const ack = encodeCbor([2, message.seq, { v: 1, hub: "02-50-4C-00-00-FE", later: [1, { x: null }] }, "later"]);
      const from = bench.log.end;
      bench.hasAcknowledged();
      await bench.send(frameOf(ack));
      await bench.fence();
      if (!(await bench.isLive(anyPlace(bench))))
        throw new Broken("A HELLO_ACK with further keys and fields must be accepted.", bench.log.since(from));
      await answered(bench, (seq) => [11, seq, "later", { and: "more" }], "PONG", "A PING with further fields");
      const [target] = targets(bench, canRead);
      if (target) {
        const { device, service, index, property } = target;
        await answered(
          bench,
          (seq) => [5, seq, device, service, index, property, "later"],
          "VALUE",
          "A READ with a further field",
        );
      }
      return undefined;
    },
  },
  { id: "M4", looksAt: "the fields of everything that the node sends", run: heard },
  { id: "M5", looksAt: "the edgeIds in HELLO and CHANGED", run: heard },
  { id: "M6", looksAt: "the keys of every HELLO, and their ranges", run: heard },
  { id: "M7", looksAt: "the places in every HELLO and CHANGED", run: heard },
  {
    id: "M8",
    looksAt: "a PING and a WHO while unanswered requests fill the window",
    async run(bench) {
      await bench.live();
      const target = anyTarget(bench, canRead, "Nothing can be read.");
      const from = bench.log.end;
      const mark = bench.mark;
      const reads = Array.from({ length: bench.hello?.win ?? 1 }, () => readOf(target, bench.newSeq()));
      const ping = bench.newSeq();
      for (const each of reads) void bench.say(each);
      await bench.say({ type: "PING", seq: ping });
      if (!(await bench.next(mark, 2500, ({ message }) => message.type === "PONG" && message.seq === ping)))
        throw new Broken(
          "A PING does not count against the window and must be answered; it was not.",
          bench.log.since(from),
        );
      const again = bench.mark;
      for (let sent = 0; sent < reads.length; sent++) void bench.say(readOf(target, bench.newSeq()));
      await bench.say({ type: "WHO", seq: bench.newSeq() });
      if (await bench.next(again, 2500, ({ message }) => message.type === "HELLO")) return undefined;
      throw new Broken(
        "A WHO does not count against the window and must be answered; no HELLO came.",
        bench.log.since(from),
      );
    },
  },
  {
    id: "M9",
    looksAt: "the seq of a HELLO that answers a WHO, and a HELLO_ACK to an earlier HELLO",
    async run(bench) {
      const first = await bench.greet();
      await bench.acknowledge(first.message.seq);
      await bench.fence();
      const from = bench.log.end;
      const who = (first.message.seq + 30_000) & 0xffff;
      const mark = bench.mark;
      await bench.say({ type: "WHO", seq: who });
      const hello = await bench.next(mark, 2500, ({ message }) => message.type === "HELLO");
      if (hello?.message.seq === who)
        throw new Broken(
          "A HELLO has the seq of the WHO that it answers; it must have a seq of the node's own.",
          bench.log.since(from),
        );
      await bench.acknowledge(first.message.seq);
      await bench.fence();
      if (await bench.isLive(anyPlace(bench))) return undefined;
      throw new Broken("A HELLO_ACK to an earlier HELLO of this boot must count.", bench.log.since(from));
    },
  },
];

/** @throws Broken when the answer to a body has another type */
async function answered(
  bench: NodeBench,
  body: (seq: number) => Parameters<typeof encodeCbor>[0],
  wanted: Message["type"],
  what: string,
): Promise<void> {
  const seq = bench.newSeq();
  const from = bench.log.end;
  const mark = bench.mark;
  await bench.send(frameOf(encodeCbor(body(seq))));
  const answer = await bench.next(mark, 2500, ({ message }) => message.seq === seq && message.type === wanted);
  if (!answer) throw new Broken(`${what} must be answered with ${wanted}.`, bench.log.since(from));
}
