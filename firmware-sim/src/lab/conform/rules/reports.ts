/** Section 5, Reports: what a node reports on its own when something happens at it. Without a stimulus there is nothing to judge. */
import { type Value, valuesEqual } from "@porchlight/shared/model";
import type { MessageOf } from "@porchlight/shared/wire";
import type { Heard } from "../line-endpoint.ts";
import type { NodeBench, Stimulus } from "../node-bench.ts";
import { Broken, NotApplicable, type Rule } from "../rule.ts";
import { playground, read, remember, type Target, writeOf } from "../targets.ts";
import { changesAtDevice, sideEffects } from "./side-effects.ts";
import {
  AGAIN,
  anything,
  drainReports,
  EARLY,
  endsHere,
  hasValue,
  isEvent,
  isOf,
  LATE,
  needsStimulus,
  provokedReport,
  reported,
} from "./telling.ts";

export const REPORTS: readonly Rule<NodeBench>[] = [
  {
    id: "M10",
    looksAt: "a report that is not answered",
    applies: needsStimulus,
    async run(bench) {
      const { report } = await provokedReport(bench, anything, "a REPORT");
      const from = bench.log.end;
      let last: Heard = report;
      for (let time = 0; time < 6; time++) {
        const mark = bench.mark;
        const next = await reported(
          bench,
          mark,
          AGAIN + LATE + bench.jitter,
          () => true,
          "A REPORT must be sent again every 500 ms until it is answered.",
        );
        const isSame = Buffer.from(next.body).equals(last.body);
        if (!isSame) throw new Broken("A REPORT must be sent again with the same seq and body.", bench.log.since(from));
        const gap = next.at - last.at;
        if (gap < AGAIN - EARLY - bench.jitter)
          throw new Broken(
            `A REPORT was sent again after ${Math.round(gap)} ms, not after 500 ms.`,
            bench.log.since(from),
          );
        last = next;
      }
      await bench.say({ type: "ACK", seq: report.message.seq });
      await endsHere(bench, report.message.seq, "ACK");
      return undefined;
    },
  },
  {
    id: "P1",
    looksAt: "whether changes at the device and side effects of a WRITE are reported, and the written property is not",
    async run(bench) {
      await bench.live();
      const { target, values } = await playground(bench);
      await bench.pass(600);
      const mark = bench.mark;
      const from = bench.log.end;
      await bench.expect(writeOf(target, bench.newSeq(), values[1]), "WRITTEN");
      await bench.pass(800);
      const own = bench
        .all("REPORT", mark)
        .filter(({ message }) => isOf(target, message) && valuesEqual(message.value, values[1]));
      if (own.length > 0)
        throw new Broken(`A WRITE of ${target.property} was also reported with REPORT.`, bench.log.since(from));
      await sideEffects(bench);
      if (bench.stimuli.length === 0)
        return "checked only that a WRITE is not reported, because there is no --stimulate";
      await changesAtDevice(bench);
      await provokedReport(bench, anything, "a REPORT");
      return undefined;
    },
  },
  {
    id: "P2",
    looksAt: "several changes while a report is unanswered",
    applies: needsStimulus,
    async run(bench) {
      const { report } = await provokedReport(bench, anything, "a REPORT");
      for (const stimulus of [...bench.stimuli, ...bench.stimuli]) await stimulus.run();
      await bench.pass(1200);
      await drainReports(bench, report.message);
      return undefined;
    },
  },
  {
    id: "P3",
    looksAt: "the reported values after several changes while a report was unanswered",
    applies: needsStimulus,
    async run(bench) {
      const { stimulus, report, target } = await provokedReport(bench, hasValue, "a readable property");
      for (let time = 0; time < 3; time++) await stimulus.run();
      await bench.pass(100);
      const before = await read(bench, target);
      const from = bench.log.end;
      const waiting = bench.all("REPORT", bench.mark - 1).at(-1)?.message ?? report.message;
      const reports = await drainReports(bench, waiting);
      const after = await read(bench, target);
      for (const { message } of reports)
        if (
          isOf(target, message) &&
          ![before, after].some((now) => now !== undefined && valuesEqual(now, message.value))
        )
          throw new Broken(
            `${target.property} was reported with a value that it no longer had.`,
            bench.log.since(from),
          );
      const own = reports.filter(({ message }) => isOf(target, message));
      if (valuesEqual(before ?? null, after ?? null) && new Set(own.map(({ message }) => message.seq)).size > 1)
        throw new Broken(
          `${target.property} was reported more than once; a newer value must replace a waiting report.`,
          bench.log.since(from),
        );
      return undefined;
    },
  },
  {
    id: "P4",
    looksAt: "five events while none is answered, and which event is dropped when there are more",
    applies: needsStimulus,
    async run(bench) {
      const { stimulus, report, target } = await provokedReport(bench, isEvent, "a property that can only notify");
      for (let time = 0; time < WAITING; time++) await stimulus.run();
      await bench.pass(100);
      const from = bench.log.end;
      const reports = await drainReports(bench, report.message);
      const seqs = new Set(reports.filter(({ message }) => isOf(target, message)).map(({ message }) => message.seq));
      seqs.delete(report.message.seq);
      if (seqs.size < WAITING)
        throw new Broken(
          `Of one unanswered and ${WAITING} waiting events, ${seqs.size + 1} were reported; none may be replaced.`,
          bench.log.since(from, 20),
        );
      return (await newestIsReported(bench, target))
        ? undefined
        : "not checked which event is dropped, because no stimulus makes another event";
    },
  },
  {
    id: "P5",
    looksAt: "a value that is replaced after its report was sent, and an ACK of the old seq",
    applies: needsStimulus,
    async run(bench) {
      const { stimulus, report, target } = await provokedReport(bench, hasValue, "a readable property");
      const mark = bench.mark;
      const from = bench.log.end;
      await stimulus.run();
      const isNew = (message: MessageOf<"REPORT">) =>
        isOf(target, message) && !valuesEqual(message.value, report.message.value);
      const now = await read(bench, target);
      if (now === undefined || valuesEqual(now, report.message.value))
        throw new NotApplicable("The stimulus produces the same value again.");
      const newer = await reported(
        bench,
        mark,
        1200,
        isNew,
        "A value that replaces a reported value must be reported.",
      );
      if (newer.message.seq === report.message.seq)
        throw new Broken("After the value was replaced, the report must have a new seq.", bench.log.since(from));
      await bench.say({ type: "ACK", seq: report.message.seq });
      await reported(
        bench,
        bench.mark,
        AGAIN + LATE + bench.jitter,
        isNew,
        "An ACK of the old seq must be ignored; the newer report was not sent again.",
      );
      await drainReports(bench, newer.message);
      return undefined;
    },
  },
  {
    id: "P6",
    looksAt: "a WRITE of a property whose report is unanswered",
    applies: needsStimulus,
    async run(bench) {
      const { report, target } = await provokedReport(
        bench,
        (each) => hasValue(each) && each.description.access.includes("write"),
        "a readable and writable property",
      );
      const old = report.message.value;
      const good = typeof old === "boolean" ? !old : undefined;
      if (good === undefined)
        throw new NotApplicable("The reported property is not a boolean, so no other valid value is known.");
      remember(bench, target, old);
      const from = bench.log.end;
      const mark = bench.mark;
      await bench.expect(writeOf(target, bench.newSeq(), good), "WRITTEN");
      await reported(
        bench,
        mark,
        AGAIN + LATE + bench.jitter,
        (each) => isOf(target, each) && valuesEqual(each.value, good),
        "A waiting report must get the value that a WRITE has applied; no report of that value came.",
      );
      await bench.pass(1300);
      const stale = bench
        .all("REPORT", mark)
        .filter(({ message }) => isOf(target, message) && valuesEqual(message.value, old));
      if (stale.length > 0)
        throw new Broken(
          "A waiting report must get the value that a WRITE has applied; the old value was reported again.",
          bench.log.since(from),
        );
      await drainReports(bench, bench.all("REPORT", mark).at(-1)?.message ?? report.message);
      return undefined;
    },
  },
  {
    id: "P7",
    looksAt: "an unanswered report before and after a WHO",
    applies: needsStimulus,
    async run(bench) {
      const { report } = await provokedReport(bench, anything, "a REPORT");
      const from = bench.log.end;
      const { message } = await bench.greet();
      const mark = bench.mark;
      await bench.acknowledge(message.seq);
      const again = await reported(
        bench,
        mark,
        1500,
        ({ seq }) => seq === report.message.seq,
        "An unanswered report must be repeated with its own seq after the next HELLO_ACK.",
      );
      if (!Buffer.from(again.body).equals(report.body))
        throw new Broken("The repeated report has another body.", bench.log.since(from));
      await drainReports(bench, again.message);
      return undefined;
    },
  },
  {
    id: "P8",
    looksAt: "many changes in a second, all acknowledged, and the last value",
    applies: needsStimulus,
    async run(bench) {
      const { stimulus, report, target } = await provokedReport(bench, anything, "a REPORT");
      const mark = bench.mark;
      bench.manners.acknowledges = true;
      await bench.say({ type: "ACK", seq: report.message.seq });
      // An odd number, so that a toggled property ends with another value than at first.
      for (let time = 0; time < 13; time++) {
        await stimulus.run();
        await bench.pass(60);
      }
      // An event right after a report has to wait, and must still be reported.
      await bench.pass(600);
      const again = bench.mark;
      await stimulus.run();
      await bench.next(again, 1000, ({ message }) => message.type === "REPORT");
      await stimulus.run();
      await bench.pass(1500);
      if (isEvent(target)) return undefined;
      const now = await read(bench, target);
      const last =
        bench
          .all("REPORT", mark)
          .filter(({ message }) => isOf(target, message))
          .at(-1)?.message ?? report.message;
      if (now !== undefined && !valuesEqual(last.value, now))
        throw new Broken(
          `The last value of ${target.property} must always be reported.`,
          bench.log.since(bench.log.end - 12),
        );
      return undefined;
    },
  },
  {
    id: "P11",
    looksAt: "ERROR 9 and ERROR 4 as answers to a report",
    applies: needsStimulus,
    async run(bench) {
      const { report } = await provokedReport(bench, anything, "a REPORT");
      const mark = bench.mark;
      await bench.say({ type: "ERROR", seq: report.message.seq, code: 9, text: "busy" });
      await reported(
        bench,
        mark,
        AGAIN + LATE + bench.jitter,
        ({ seq }) => seq === report.message.seq,
        "After ERROR 9 a REPORT must be sent again in 500 ms, with the same seq.",
      );
      await bench.say({ type: "ERROR", seq: report.message.seq, code: 4, text: "" });
      await endsHere(bench, report.message.seq, "ERROR 4");
      return undefined;
    },
  },
];

/** Minimum number of events that a node queues (P4). */
const WAITING = 4;
/** More events than any node queues. */
const TOO_MANY = 40;

/**
 * Causes more events than are queued, the last one different from the rest: it must be reported (P4).
 * @returns whether a stimulus exists that causes a different event of the same property
 */
async function newestIsReported(bench: NodeBench, target: Target): Promise<boolean> {
  const kinds = await eventsOf(bench, target);
  const [usual, other] = kinds;
  if (!usual || !other) return false;
  await bench.live();
  await bench.pass(300);
  bench.manners.acknowledges = false;
  const mark = bench.mark;
  for (let time = 0; time < TOO_MANY; time++) await usual.stimulus.run();
  await other.stimulus.run();
  await bench.pass(600);
  const [first] = bench.all("REPORT", mark);
  if (!first) throw new Broken("None of many events was reported.", bench.log.since(bench.log.end - 4));
  const from = bench.log.end;
  const reports = await drainReports(bench, first.message);
  const last = reports.filter(({ message }) => isOf(target, message)).at(-1);
  if (!last || !valuesEqual(last.message.value, other.value))
    throw new Broken(
      "When more events wait than the node keeps, the oldest is dropped first; the newest was not reported.",
      bench.log.since(from, 20),
    );
  return true;
}

/** One stimulus for each value that a property reports. */
async function eventsOf(bench: NodeBench, target: Target): Promise<{ stimulus: Stimulus; value: Value }[]> {
  const kinds: { stimulus: Stimulus; value: Value }[] = [];
  for (const stimulus of bench.stimuli) {
    await bench.live();
    await bench.pass(300);
    const mark = bench.mark;
    await stimulus.run();
    await bench.next(mark, 1500, ({ message }) => message.type === "REPORT");
    const report = bench.all("REPORT", mark).find(({ message }) => isOf(target, message));
    const value = report?.message.value;
    if (value !== undefined && !kinds.some((kind) => valuesEqual(kind.value, value))) kinds.push({ stimulus, value });
  }
  return kinds;
}
