/** Section 5, Requests: the window, tries and their times, busy answers, and answers that settle a request. */
import { encodeCbor, encodeFrame, encodeMessage, type Message } from "@porchlight/shared/wire";
import { frameOf } from "../../bytes.ts";
import type { Heard } from "../../line-endpoint.ts";
import { Broken, type Rule } from "../../rule.ts";
import { HONEST, type HubBench, wanted } from "../hub-bench.ts";
import { TRY } from "../hub-talk.ts";
import { NARROW } from "../persona.ts";
import { BEGINS_WITHIN, beforeAnew, isProbe, LARGEST_FRAME, MOST_LATE, probed } from "./overtaken.ts";

const TRIES = 3;
/** When to send other bytes during the first try, ms, and the extension that they cause. */
const LENGTHENED = 800;
const BETWEEN = [300, 600, LENGTHENED];
const BUSY_WAITS = [100, 200, 400];

const hex = ({ body }: Heard) => Buffer.from(body).toString("hex");

export const HUB_REQUESTS: readonly Rule<HubBench>[] = [
  {
    id: "M2",
    looksAt: "the hub's seqs through boots, and seqs of every size repeated by its answers",
    async run(bench) {
      await bench.live();
      for (const seq of [0, 23, 24, 255, 256, 65_535])
        await bench.pongs(
          frameOfMessage({ type: "PING", seq }),
          seq,
          `PING ${seq} must be answered with the same seq.`,
        );
      return undefined;
    },
  },
  {
    id: "M10",
    looksAt: "a READ that is not answered",
    takes: "8 s",
    async run(bench) {
      const { from, reads } = await probed(bench, 3 * (TRY + LARGEST_FRAME), () => []);
      if (new Set(reads.map(({ message }) => message.seq)).size > 1 || new Set(reads.map(hex)).size > 1)
        throw new Broken(
          "An unanswered request must be sent again with the same seq and the same body.",
          bench.log.since(from),
        );
      if (reads.length < 2) throw new Broken("An unanswered request must be sent again.", bench.log.since(from));
      return undefined;
    },
  },
  {
    id: "B1",
    looksAt: "requests to a node that accepts two and answers none",
    takes: "8 s",
    async run(bench) {
      await bench.live();
      bench.script = ({ type }) => (type === "READ" ? [] : undefined);
      const mark = await bench.reboot(NARROW);
      await bench.next(mark, BEGINS_WITHIN, ({ message }) => message.type === "READ");
      await bench.pass(TRY);
      bench.script = HONEST;
      await bench.asks(mark, wanted(NARROW), BEGINS_WITHIN);
      bench.forgetKnown();
      return undefined;
    },
  },
  {
    id: "B2",
    looksAt: "how soon and how often an unanswered READ is sent again, and when other bytes arrive meanwhile",
    takes: "12 s",
    async run(bench) {
      let spoken = 0;
      const { from, reads } = await probed(bench, 0, () => {
        // The last of them leaves less than a try before the end of the unextended try.
        for (const after of spoken === 0 ? BETWEEN : [])
          bench.clock.timer("a byte in between", after, () => void bench.send(Uint8Array.of(0xc0)));
        spoken += 1;
        return [];
      });
      const mark = bench.mark;
      await bench.pass(TRIES * (TRY + LARGEST_FRAME) + LENGTHENED + TRIES * (MOST_LATE + bench.jitter));
      const probes = [...reads, ...bench.since(mark).filter(({ message }) => isProbe(message))];
      // A READ with another seq is a new request (B3).
      const all = probes.filter(({ message }) => message.seq === probes[0]?.message.seq);
      if (all.length !== TRIES)
        throw new Broken(
          `A request has failed after three tries; it was sent ${all.length} times.`,
          bench.log.since(from),
        );
      const gaps = all.slice(1).map(({ at }, which) => at - (all[which]?.at ?? at) - (which === 0 ? LENGTHENED : 0));
      const slowest = Math.max(...gaps);
      if (slowest > TRY + LARGEST_FRAME + MOST_LATE + bench.jitter)
        throw new Broken(
          `A try has failed after ${TRY} ms; the next try came after ${Math.round(slowest)} ms.`,
          bench.log.since(from),
        );
      return undefined;
    },
  },
  {
    id: "B4",
    looksAt: "a READ that is always answered with ERROR 9",
    takes: "8 s",
    async run(bench) {
      const busy = ({ seq }: Message): Message[] => [{ type: "ERROR", seq, code: 9, text: "busy" }];
      const { from, reads: probes } = await probed(bench, 3000, busy);
      const reads = beforeAnew(probes);
      if (new Set(reads.map(({ message }) => message.seq)).size !== reads.length)
        throw new Broken(
          "ERROR 9 completes its seq: the hub must send the request again with a new seq.",
          bench.log.since(from),
        );
      if (reads.length !== BUSY_WAITS.length + 1)
        throw new Broken(
          `A hub must send a request to a busy node three more times; it sent it ${reads.length - 1} times.`,
          bench.log.since(from),
        );
      BUSY_WAITS.forEach((wait, which) => {
        const gap = (reads[which + 1]?.at ?? 0) - (reads[which]?.at ?? 0);
        if (gap < wait - bench.jitter || gap > wait + MOST_LATE + bench.jitter)
          throw new Broken(
            `A hub must send a request to a busy node again after ${wait} ms; it did after ${Math.round(gap)} ms.`,
            bench.log.since(from),
          );
      });
      return undefined;
    },
  },
  {
    id: "E2",
    looksAt: "a READ that is answered with a code of a later version",
    takes: "8 s",
    async run(bench) {
      const later = ({ seq }: Message): Message[] => [{ type: "ERROR", seq, code: 77, text: "later" }];
      const { from, reads } = await probed(bench, 2500, later);
      if (beforeAnew(reads).length !== 1)
        throw new Broken("An unknown code means the same as 10: it completes the request.", bench.log.since(from));
      return undefined;
    },
  },
  {
    id: "W5",
    looksAt: "unexpected and malformed answers, and one of the wrong type",
    takes: "8 s",
    async run(bench) {
      await bench.live();
      const stray: readonly Message[] = [
        { type: "VALUE", seq: 40_000, value: 1 },
        { type: "ACK", seq: 40_001 },
        { type: "PONG", seq: 40_002 },
        { type: "ERROR", seq: 40_003, code: 2, text: "stray" },
      ];
      for (const message of stray) await bench.ignores(frameOfMessage(message), `${message.type} without a request`);
      for (const body of [[6], [8], [4, 0], [4, 0, 0, 1], [13], [13, "busy"]] as const) {
        const [type, ...fields] = body;
        await bench.ignores(
          frameOf(encodeCbor([type, bench.newSeq(), ...fields])),
          `A malformed answer of type ${type}`,
        );
      }
      const { from, reads } = await probed(bench, TRY + LARGEST_FRAME + MOST_LATE + bench.jitter, ({ seq }) => [
        { type: "ACK", seq },
      ]);
      if (reads.length < 2)
        throw new Broken(
          "An answer of the wrong type must be ignored: the READ must be sent again.",
          bench.log.since(from),
        );
      return undefined;
    },
  },
];

function frameOfMessage(message: Message): Uint8Array {
  return encodeFrame(encodeMessage(message));
}
