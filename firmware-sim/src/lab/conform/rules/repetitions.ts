/** Section 5, Repetitions must not act twice: proved by the values that a device then has, and by its own counter if it has one. */
import type { Value } from "@porchlight/shared/model";
import { encodeFrame, encodeMessage, type Message } from "@porchlight/shared/wire";
import { bytes } from "../bytes.ts";
import type { Heard } from "../line-endpoint.ts";
import type { NodeBench } from "../node-bench.ts";
import { Broken, type Rule } from "../rule.ts";
import {
  acted,
  anyPlace,
  badValues,
  canWrite,
  playground,
  read,
  readOf,
  type Target,
  targets,
  writeOf,
} from "../targets.ts";

/** Repeats a request, the last time after a PING: the answers must be equal, byte for byte. @throws Broken */
async function sameAnswers(bench: NodeBench, request: Message, times = 2): Promise<void> {
  const from = bench.log.end;
  const answers: Heard[] = [];
  for (let time = 0; time < times; time++) {
    if (time > 1) await bench.fence();
    const mark = bench.mark;
    await bench.say(request);
    const answer = await bench.next(
      mark,
      2500,
      ({ message }) => message.seq === request.seq && message.type !== "PING",
    );
    if (!answer)
      throw new Broken(
        `${request.type} ${request.seq} must be answered each time that it is sent.`,
        bench.log.since(from),
      );
    answers.push(answer);
  }
  const [first, ...others] = answers.map(({ body }) => Buffer.from(body).toString("hex"));
  if (others.some((other) => other !== first))
    throw new Broken(
      `The repetition of ${request.type} ${request.seq} must be answered with the same bytes.`,
      bench.log.since(from),
    );
}

/** @throws Broken when the device's counter has another value */
async function countsTo(bench: NodeBench, before: number | undefined, more: number, what: string): Promise<void> {
  if (before === undefined) return;
  const now = await acted(bench);
  if (now === before + more) return;
  throw new Broken(
    `${what}: Conformance.acted must increase by ${more}, from ${before}; it is ${now}.`,
    bench.log.since(bench.log.end - 8),
  );
}

const howJudged = (count: number | undefined, win: number) => {
  if (count !== undefined) return "proved by Conformance.acted";
  return win > 1
    ? "judged by the value afterwards, with a window of more than one"
    : "judged only by answers: the device does not count what it carries out (Conformance.acted)";
};

export const REPETITIONS: readonly Rule<NodeBench>[] = [
  {
    id: "R1",
    looksAt: "the same seq with another body, which is not a repetition",
    async run(bench) {
      await bench.live();
      const { target, values } = await playground(bench);
      const seq = bench.newSeq();
      await bench.expect(writeOf(target, seq, values[1]), "WRITTEN");
      const from = bench.log.end;
      await bench.expect(writeOf(target, seq, values[0]), "WRITTEN");
      const now = await read(bench, target);
      if (now !== values[0])
        throw new Broken(
          "A WRITE with the seq of the last one, but another value, must be carried out.",
          bench.log.since(from),
        );
      return undefined;
    },
  },
  {
    id: "R2",
    looksAt: "WRITEs, rejected WRITEs and IDENTIFYs that are sent two and three times",
    async run(bench) {
      await bench.live();
      const count = await acted(bench);
      const place = anyPlace(bench);
      await sameAnswers(bench, { type: "IDENTIFY", seq: bench.newSeq(), device: place, seconds: 0 }, 3);
      await countsTo(bench, count, 1, "IDENTIFY was sent three times");
      await refusedTwice(bench);
      const win = bench.hello?.win ?? 1;
      const { target, values } = await playground(bench);
      const before = await acted(bench);
      await sameAnswers(bench, writeOf(target, bench.newSeq(), values[1]), 3);
      await countsTo(bench, before, 1, "WRITE was sent three times");
      if (win > 1) await windowRemembered(bench, win);
      return howJudged(count, win);
    },
  },
  {
    id: "R3",
    looksAt: "a WRITE and its repetition, sent at once",
    async run(bench) {
      await bench.live();
      const { target, values } = await playground(bench);
      const count = await acted(bench);
      const write = writeOf(target, bench.newSeq(), values[1]);
      const frame = encodeFrame(encodeMessage(write));
      const from = bench.log.end;
      const mark = bench.mark;
      await bench.send(bytes(frame, frame));
      await bench.next(mark, 2500, ({ message }) => message.seq === write.seq && message.type === "WRITTEN");
      await bench.fence();
      const answers = bench.since(mark).filter(({ message }) => message.seq === write.seq && message.type !== "PONG");
      const bodies = new Set(answers.map(({ body }) => Buffer.from(body).toString("hex")));
      if (answers.length < 1 || answers.length > 2 || bodies.size !== 1 || answers[0]?.message.type !== "WRITTEN")
        throw new Broken(
          "A WRITE that is sent twice at once must be answered with WRITTEN, once, or twice with the same bytes.",
          bench.log.since(from),
        );
      await countsTo(bench, count, 1, "WRITE was sent twice at once");
      return count === undefined ? "judged only by answers" : "proved by Conformance.acted";
    },
  },
  {
    id: "R4",
    looksAt: "READ and DESCRIBE that are sent twice",
    async run(bench) {
      await bench.live();
      const place = anyPlace(bench);
      const [target] = targets(bench, (each) => each.description.access.includes("read"));
      const requests: Message[] = [{ type: "DESCRIBE", seq: bench.newSeq(), device: place, part: 0 }];
      if (target) requests.push(readOf(target, bench.newSeq()));
      for (const request of requests)
        for (let time = 0; time < 2; time++)
          await bench.expect(request, request.type === "READ" ? "VALUE" : "DESCRIPTION");
      return undefined;
    },
  },
  {
    id: "R5",
    looksAt: "a WRITE that is repeated after a WHO to a live node and to one that is not",
    async run(bench) {
      await bench.live();
      const { target, values } = await playground(bench);
      const write = writeOf(target, bench.newSeq(), values[1]);
      await bench.expect(write, "WRITTEN");
      await bench.expect(writeOf(target, bench.newSeq(), values[0]), "WRITTEN");
      const last = writeOf(target, bench.newSeq(), values[0]);
      await bench.expect(last, "WRITTEN");
      await bench.live();
      const count = await acted(bench);
      const from = bench.log.end;
      // Start with the last: a node with a window of one remembers no other.
      await bench.expect(last, "WRITTEN");
      await bench.expect(write, "WRITTEN");
      if ((await read(bench, target)) !== values[1])
        throw new Broken(
          "A node forgets its answers at WHO: the same WRITE must be carried out again.",
          bench.log.since(from),
        );
      await countsTo(bench, count, 2, "Two WRITEs were repeated after WHO");
      await forgetsWhileGreeting(bench, target, values[0]);
      return count === undefined ? "judged by the values that were read afterwards" : "proved by Conformance.acted";
    },
  },
  {
    id: "R6",
    looksAt: "WRITE and IDENTIFY before HELLO_ACK",
    async run(bench) {
      await bench.live();
      const { target, values } = await playground(bench);
      await bench.expect(writeOf(target, bench.newSeq(), values[0]), "WRITTEN");
      const count = await acted(bench);
      await bench.greet();
      const from = bench.log.end;
      const write = writeOf(target, bench.newSeq(), values[1]);
      await bench.expectError(write, write.seq, 9, "A WRITE before HELLO_ACK");
      const identify = { type: "IDENTIFY", seq: bench.newSeq(), device: target.device, seconds: 0 } as const;
      await bench.expectError(identify, identify.seq, 9, "An IDENTIFY before HELLO_ACK");
      if ((await read(bench, target)) !== values[0])
        throw new Broken("A WRITE before HELLO_ACK was carried out.", bench.log.since(from));
      await countsTo(bench, count, 0, "WRITE and IDENTIFY were sent before HELLO_ACK");
      return undefined;
    },
  },
  {
    id: "R7",
    looksAt: "a WRITE that was answered with ERROR 9 before HELLO_ACK, repeated after it",
    async run(bench) {
      await bench.live();
      const { target, values } = await playground(bench);
      await bench.expect(writeOf(target, bench.newSeq(), values[0]), "WRITTEN");
      const count = await acted(bench);
      const { message } = await bench.greet();
      const from = bench.log.end;
      const write = writeOf(target, bench.newSeq(), values[1]);
      await bench.expectError(write, write.seq, 9, "A WRITE before HELLO_ACK (R6)");
      await bench.acknowledge(message.seq);
      await bench.expectError(write, write.seq, 9, "The repetition of a WRITE that was answered with ERROR 9");
      if ((await read(bench, target)) !== values[0])
        throw new Broken(
          "A WRITE that was answered with ERROR 9 was carried out when it was repeated.",
          bench.log.since(from),
        );
      await countsTo(bench, count, 0, "A WRITE that was answered with ERROR 9 was repeated");
      return undefined;
    },
  },
];

/** Sends WHO to a node that is not live: it must forget its ERROR 9 answers too. @throws Broken */
async function forgetsWhileGreeting(bench: NodeBench, target: Target, value: Value): Promise<void> {
  await bench.greet();
  const write = writeOf(target, bench.newSeq(), value);
  await bench.expectError(write, write.seq, 9, "A WRITE before HELLO_ACK (R6)");
  await bench.live();
  const from = bench.log.end;
  const answer = await bench.ask(write);
  if (answer?.type !== "WRITTEN")
    throw new Broken(
      "A node forgets its answers at WHO: a WRITE that was answered with ERROR 9 before must be carried out.",
      bench.log.since(from),
    );
}

async function refusedTwice(bench: NodeBench): Promise<void> {
  for (const target of targets(bench, canWrite)) {
    const [bad] = badValues(target.description);
    if (!bad) continue;
    await sameAnswers(bench, writeOf(target, bench.newSeq(), bad.value));
    return;
  }
}

/** Sends as many WRITEs as the window allows, then repeats each: none may undo a later one. @throws Broken */
async function windowRemembered(bench: NodeBench, win: number): Promise<void> {
  const { target, values } = await playground(bench);
  const last = values[(win - 1) % 2 === 0 ? 0 : 1];
  const writes = Array.from({ length: win }, (_, at) => writeOf(target, bench.newSeq(), values[at % 2 === 0 ? 0 : 1]));
  for (const write of writes) await bench.expect(write, "WRITTEN");
  const from = bench.log.end;
  for (const write of writes.slice(0, -1)) await bench.expect(write, "WRITTEN");
  if ((await read(bench, target)) !== last)
    throw new Broken(
      `The answers to the last ${win} WRITEs must be remembered; a repetition was carried out.`,
      bench.log.since(from, 20),
    );
}
