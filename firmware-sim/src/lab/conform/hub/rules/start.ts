/** Section 5, Start and Floods, and HELLO: which nodes a hub calls, greets and describes, and how often. */
import { encodeCbor, type MessageOf } from "@porchlight/shared/wire";
import type { Heard } from "../../line-endpoint.ts";
import { Broken, type Rule } from "../../rule.ts";
import { HONEST, type HubBench, wanted } from "../hub-bench.ts";
import { NODE_ID, PLAIN } from "../persona.ts";
import { sendsNoCopyAfterHello } from "./overtaken.ts";

const SECOND = 1000;
/** Tolerated earliness and delay of a message that is due every second, ms. */
const OFF = 250;
/** Minimum interval between two descriptions of a whole link, ms. */
const SPACING = 5000;

const isAck = ({ message }: Heard) => message.type === "HELLO_ACK";
const isDescribe = ({ message }: Heard) => message.type === "DESCRIBE";

/** @throws Broken when the hub sends a request within `ms` */
async function asksNothing(bench: HubBench, ms: number, what: string): Promise<void> {
  const mark = bench.mark;
  const from = bench.log.end;
  await bench.pass(ms);
  const [asked] = bench.asked(mark);
  if (asked !== undefined) throw new Broken(`${what}; ${asked} came.`, bench.log.since(from));
}

/** @throws Broken when the hub does not request everything again */
async function asksAfresh(bench: HubBench, mark: number, what: string): Promise<void> {
  const from = bench.log.end;
  if (await bench.asks(mark, wanted(PLAIN), 15_000)) return;
  const missing = wanted(PLAIN).filter((each) => !bench.asked(mark).includes(each));
  throw new Broken(`${what} Missing: ${missing.join(", ")}.`, bench.log.since(from));
}

const HELLO = { v: 1, id: NODE_ID, devices: [], boot: 1, max: 128 };
/** Invalid HELLOs, with the reason. */
const MALFORMED: readonly (readonly [what: string, info: object])[] = [
  ...["id", "devices", "boot", "max"].map(
    (key) => [`without ${key}`, Object.fromEntries(Object.entries(HELLO).filter(([each]) => each !== key))] as const,
  ),
  ["with max 127", { ...HELLO, max: 127 }],
  ["with max 4096", { ...HELLO, max: 4096 }],
  ["with win 0", { ...HELLO, win: 0 }],
  ["with win 9", { ...HELLO, win: 9 }],
  ["with a boot of more than 32 bits", { ...HELLO, boot: 2 ** 32 }],
  ["with devices that are not an array", { ...HELLO, devices: NODE_ID }],
];

/** Invalid edgeIds: only upper-case hex with hyphens is valid. */
const NO_EDGE_IDS = ["02-50-4c-c0-00-00", "02504CC00000", "02-50-4C-C0-00", "02:50:4C:C0:00:00"];

export const HUB_START: readonly Rule<HubBench>[] = [
  {
    id: "S3",
    looksAt: "WHO on a silent line and after HELLO",
    takes: "15 s",
    async run(bench) {
      await bench.lose();
      const mark = bench.mark;
      const from = bench.log.end;
      await bench.pass(3 * SECOND + OFF + bench.jitter);
      const times = bench.all("WHO", mark).map(({ at }) => at);
      const gaps = times.slice(1).map((at, which) => at - (times[which] ?? at));
      if (times.length < 3 || gaps.some((gap) => Math.abs(gap - SECOND) > OFF + bench.jitter))
        throw new Broken(
          `WHO must come every second; in three seconds it came ${times.length} times, ${gaps.map(Math.round).join(", ")} ms apart.`,
          bench.log.since(from),
        );
      await bench.live();
      const after = bench.mark;
      await bench.pass(2 * SECOND + OFF);
      if (bench.all("WHO", after).length > 0)
        throw new Broken("After a HELLO the hub must not send WHO.", bench.log.since(from));
      return undefined;
    },
  },
  {
    id: "S4",
    looksAt: "descriptions and reads after HELLO_ACK, each once",
    takes: "6 s",
    async run(bench) {
      await bench.live();
      const from = bench.log.end;
      const mark = await bench.boot(PLAIN);
      await bench.fence();
      const asked = bench.asked(mark);
      const wants = wanted(PLAIN);
      const missing = wants.filter((each) => !asked.includes(each));
      const extra = asked.filter((each, at) => !wants.includes(each) || asked.indexOf(each) !== at);
      if (missing.length > 0)
        throw new Broken(
          `Everything must be described and read. Missing: ${missing.join(", ")}.`,
          bench.log.since(from),
        );
      if (extra.length > 0)
        throw new Broken(
          `Each must be requested once; these came in addition: ${extra.join(", ")}.`,
          bench.log.since(from),
        );
      const order = bench.since(mark).map(({ message }) => message.type);
      if (order.indexOf("HELLO_ACK") > order.indexOf("DESCRIBE"))
        throw new Broken("DESCRIBE came before HELLO_ACK.", bench.log.since(from));
      return undefined;
    },
  },
  {
    id: "S5",
    looksAt: "another HELLO of the same boot, of a node with boot 0, and with --stimulate after a WRITE",
    takes: "30 s",
    async run(bench) {
      await bench.live();
      const from = bench.log.end;
      if (!(await bench.greet()))
        throw new Broken("A HELLO of the same boot must be acknowledged.", bench.log.since(from));
      await asksNothing(bench, SPACING + SECOND, "A HELLO of the same boot must change nothing");
      if (bench.stimuli.length > 0) await sendsNoCopyAfterHello(bench);
      await bench.boot(PLAIN, 0);
      const mark = bench.mark;
      if (!(await bench.greet())) throw new Broken("A HELLO with boot 0 must be acknowledged.", bench.log.since(from));
      await asksAfresh(
        bench,
        mark,
        "With boot 0 every HELLO is a reboot: everything must be described and read again.",
      );
      return bench.stimuli.length === 0 ? "checked without a WRITE, because there is no --stimulate" : undefined;
    },
  },
  {
    id: "S7",
    looksAt: "a new boot while a READ is unanswered",
    takes: "12 s",
    async run(bench) {
      await bench.live();
      bench.script = ({ type }) => (type === "READ" ? [] : undefined);
      const first = await bench.reboot(PLAIN);
      const open = await bench.next(first, SPACING + 2 * SECOND, ({ message }) => message.type === "READ");
      if (!open)
        throw new Broken(
          "After a new boot everything must be described and read.",
          bench.log.since(bench.log.end - 12),
        );
      bench.script = HONEST;
      const mark = await bench.reboot(PLAIN);
      await asksAfresh(bench, mark, "After a new boot everything must be described and read again.");
      return undefined;
    },
  },
  {
    id: "M5",
    looksAt: "HELLOs whose id is not an edgeId",
    async run(bench) {
      await bench.live();
      for (const id of NO_EDGE_IDS) {
        const seq = bench.newSeq();
        await bench.expectError(encodeCbor([1, seq, { ...HELLO, id }]), seq, 2, `A HELLO with the id ${id}`);
      }
      return undefined;
    },
  },
  {
    id: "M6",
    looksAt: "HELLOs with a missing key, a wrong type, a value out of range, and another version",
    async run(bench) {
      await bench.live();
      for (const [what, info] of MALFORMED) {
        const seq = bench.newSeq();
        await bench.expectError(encodeCbor([1, seq, { ...info }]), seq, 2, `A HELLO ${what}`);
      }
      // From here on the hub's knowledge of the node is undefined: the next rule starts with another boot.
      bench.forgetKnown();
      bench.manners.greets = false;
      const seq = bench.newSeq();
      await bench.expectError(encodeCbor([1, seq, { ...HELLO, v: 2 }]), seq, 11, "A HELLO of version 2");
      return undefined;
    },
  },
  {
    id: "M9",
    looksAt: "HELLO_ACKs to three consecutive HELLOs of one boot",
    async run(bench) {
      await bench.live();
      const { hello: info } = bench;
      if (!info) throw new Broken("No HELLO was sent.");
      const from = bench.log.end;
      const mark = bench.mark;
      const hellos = [0, 1, 2].map((): MessageOf<"HELLO"> => ({ type: "HELLO", seq: bench.newSeq(), info }));
      for (const hello of hellos) void bench.say(hello);
      await bench.fence();
      const acks = bench.since(mark).filter(isAck);
      for (const { seq } of hellos)
        if (!acks.some(({ message }) => message.seq === seq))
          throw new Broken(`HELLO ${seq} must be acknowledged with its own seq.`, bench.log.since(from));
      return undefined;
    },
  },
  {
    id: "X1",
    looksAt: "how often a node that boots repeatedly is described",
    takes: "12 s",
    async run(bench) {
      const from = bench.log.end;
      const mark = await bench.boot(PLAIN);
      for (let time = 0; time < 3; time++) {
        await bench.reboot(PLAIN);
        await bench.pass(400);
      }
      await bench.asks(bench.mark, wanted(PLAIN), SPACING + SECOND);
      const seqs = new Set<number>();
      const starts = bench.since(mark).filter((heard) => {
        const { message } = heard;
        if (!isDescribe(heard) || message.type !== "DESCRIBE" || message.device !== 0 || seqs.has(message.seq))
          return false;
        seqs.add(message.seq);
        return true;
      });
      const gaps = starts.slice(1).map(({ at }, which) => at - (starts[which]?.at ?? at));
      const least = Math.min(...gaps);
      if (least < SPACING - OFF - bench.jitter)
        throw new Broken(`The hub described a whole link again after ${Math.round(least)} ms.`, bench.log.since(from));
      return undefined;
    },
  },
];
