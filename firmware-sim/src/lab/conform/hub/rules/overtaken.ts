/**
 * Section 5, Requests: answers that do not state the current value. A VALUE or WRITTEN that is overtaken (B9), and WRITEs around a
 * HELLO (S5, B7).
 */
import type { Value } from "@porchlight/shared/model";
import type { Message, MessageOf } from "@porchlight/shared/wire";
import type { Heard } from "../../line-endpoint.ts";
import { Broken, NotApplicable, type Rule } from "../../rule.ts";
import type { HubBench } from "../hub-bench.ts";
import { TRY } from "../hub-talk.ts";
import { PLAIN } from "../persona.ts";

/** Time of the largest frame at 115200 baud, ms: it lengthens a try on a serial line. */
export const LARGEST_FRAME = ((4095 + 2) * 10 * 1000) / 115_200;
/** Tolerated delay, ms. */
export const MOST_LATE = 250;
/** Longer than the last wait after ERROR 9 (B4) with delay, and shorter than the second after which a hub asks again (B3), ms. */
const ANEW_AFTER = 950;
/** Time in which reading begins: a hub describes a link at most once in 5 s (X1). */
export const BEGINS_WITHIN = 8000;

export const isProbe = (message: Message) => message.type === "READ" && message.property === "probe";

interface Probed {
  readonly from: number;
  /** Every READ of the probe. */
  readonly reads: readonly Heard[];
}

/** Boots, answers each READ of one property as the rule requires, and returns the READs. @throws NotApplicable */
export async function probed(
  bench: HubBench,
  ms: number,
  answer: (message: Message) => readonly Message[],
): Promise<Probed> {
  await bench.live();
  const from = bench.log.end;
  bench.script = (message) => (isProbe(message) ? answer(message) : undefined);
  await bench.reboot(PLAIN);
  // Ignore the requests to the previous boot.
  const mark = bench.mark;
  const first = await bench.next(mark, BEGINS_WITHIN, ({ message }) => isProbe(message));
  if (!first) {
    bench.blame("S4", "A readable property was not read.", bench.log.since(from));
    throw new NotApplicable("The hub sent no READ by which this rule could be judged.");
  }
  await bench.pass(ms);
  bench.forgetKnown();
  return { from, reads: bench.since(mark).filter(({ message }) => isProbe(message)) };
}

/** The READs of the first request: one that comes a second after the previous is a new request (B3). */
export function beforeAnew(probes: readonly Heard[]): readonly Heard[] {
  const end = probes.findIndex(({ at }, which) => which > 0 && at - (probes[which - 1]?.at ?? at) >= ANEW_AFTER);
  return end < 0 ? probes : probes.slice(0, end);
}

/** Maximum number of times that a hub reads an overtaken value again. */
const READS_AGAIN = 3;
/** Time in which the command must cause the hub's WRITE, ms. */
const WRITES_WITHIN = 10_000;
/** Time in which a hub would have repeated a request, ms: a try, lengthened by other bytes, and the first wait after ERROR 9. */
const SENDS_AGAIN_WITHIN = TRY + LARGEST_FRAME + 1500 + 100 + MOST_LATE;
const NO_COMMAND = "No command sets a property through the hub (--stimulate).";

type Write = MessageOf<"WRITE">;

interface Stimulated {
  readonly from: number;
  readonly mark: number;
  readonly first: Write;
}

/** Makes the hub send a WRITE, and answers its copies as the rule requires. @throws NotApplicable when none arrives */
async function stimulated(
  bench: HubBench,
  answer: (write: Write, copy: number) => readonly Message[],
): Promise<Stimulated> {
  const [stimulus] = bench.stimuli;
  if (!stimulus) throw new NotApplicable(NO_COMMAND);
  await bench.described();
  const from = bench.log.end;
  const mark = bench.mark;
  let copies = 0;
  bench.script = (message) => (message.type === "WRITE" ? answer(message, ++copies) : undefined);
  // The command may wait for the result of the WRITE under test, and fail because of it.
  stimulus.run().catch(() => undefined);
  const heard = await bench.next(mark, WRITES_WITHIN, ({ message }) => message.type === "WRITE");
  bench.forgetKnown();
  if (heard?.message.type !== "WRITE") throw new NotApplicable("The command of --stimulate caused no WRITE.");
  return { from, mark, first: heard.message };
}

/** Another HELLO of the same boot, as a node sends it that has lost its hub. */
function helloAgain(bench: HubBench): readonly Message[] {
  return bench.hello ? [{ type: "HELLO", seq: bench.newSeq(), info: bench.hello }] : [];
}

const isSame = (message: Message, { device, service, index, property }: Write): boolean =>
  "property" in message &&
  [message.device === device, message.service === service, message.index === index].every(Boolean) &&
  message.property === property;

/** @throws Broken when more than `copies` WRITEs arrived, or the property is not read afterwards */
async function endsUnknown(bench: HubBench, { from, mark, first }: Stimulated, copies: number, why: string) {
  await bench.pass(SENDS_AGAIN_WITHIN + bench.jitter);
  const heard = bench.since(mark).map(({ message }) => message);
  const writes = heard.filter((message) => message.type === "WRITE" && isSame(message, first));
  if (writes.length > copies) throw new Broken(`${why}; it was sent again.`, bench.log.since(from));
  if (!heard.some((message) => message.type === "READ" && isSame(message, first)))
    throw new Broken(`${why}, and its property must be read; it was not.`, bench.log.since(from));
}

/**
 * S5: after a HELLO no further copy of a WRITE leaves.
 * @throws Broken
 */
export async function sendsNoCopyAfterHello(bench: HubBench): Promise<void> {
  const course = await stimulated(bench, (_, copy) => (copy === 1 ? helloAgain(bench) : []));
  await endsUnknown(bench, course, 1, "After a HELLO the hub must not send a WRITE again of which a copy had left");
}

/** Another value of the same type; undefined when none is certain to be valid. */
function otherThan(value: Value): Value | undefined {
  if (typeof value === "boolean") return !value;
  return typeof value === "number" ? value + (value > 1 ? -1 : 1) : undefined;
}

/** @returns how far it could be judged */
async function readsAfterWritten(bench: HubBench): Promise<string | undefined> {
  if (bench.stimuli.length === 0) return "checked only with VALUE, because there is no --stimulate";
  const course = await stimulated(bench, (write) => {
    const { type: _, value, seq, ...address } = write;
    const other = otherThan(value);
    if (other === undefined) return [{ type: "WRITTEN", seq, value }];
    return [
      { type: "REPORT", seq: bench.newSeq(), ...address, value: other },
      { type: "WRITTEN", seq, value },
    ];
  });
  if (otherThan(course.first.value) === undefined)
    return "checked only with VALUE, because --stimulate sets no number and no boolean";
  await bench.pass(TRY + MOST_LATE + bench.jitter);
  if (bench.all("READ", course.mark).some(({ message }) => isSame(message, course.first))) return undefined;
  const what = "A WRITTEN may be older than a REPORT since its WRITE left: the hub must read the property.";
  throw new Broken(what, bench.log.since(course.from));
}

export const HUB_OVERTAKEN: readonly Rule<HubBench>[] = [
  {
    id: "B7",
    looksAt: "ERROR 9 to the second copy of a WRITE, after a HELLO",
    takes: "6 s",
    applies: (bench) => (bench.stimuli.length === 0 ? NO_COMMAND : undefined),
    async run(bench) {
      const course = await stimulated(bench, ({ seq }, copy) =>
        copy === 1 ? [] : [...helloAgain(bench), { type: "ERROR", seq, code: 9, text: "" }],
      );
      const second = await bench.next(
        course.mark,
        SENDS_AGAIN_WITHIN + bench.jitter,
        ({ message }) => bench.all("WRITE", course.mark).length > 1 && message.type === "WRITE",
      );
      if (!second) throw new NotApplicable("No second copy of an unanswered WRITE came.");
      const why = "A WRITE whose first copy is unanswered must not be sent again after HELLO and ERROR 9";
      await endsUnknown(bench, course, 2, why);
      return undefined;
    },
  },
  {
    id: "B9",
    looksAt: "a VALUE, and with --stimulate a WRITTEN, that come after a REPORT of the same property",
    takes: "10 s",
    async run(bench) {
      let value = 0;
      const { from, reads: probes } = await probed(bench, 3000, (message) => {
        value += 1;
        const report = { device: 0, service: "Lab", index: 0, property: "probe", value };
        return [
          { type: "REPORT", seq: bench.newSeq(), ...report },
          { type: "VALUE", seq: message.seq, value: 90 },
        ];
      });
      const seqs = new Set(beforeAnew(probes).map(({ message }) => message.seq));
      if (seqs.size < 2)
        throw new Broken(
          "A VALUE may be older than a REPORT since its READ left: the property must be read again.",
          bench.log.since(from),
        );
      if (seqs.size > READS_AGAIN + 1)
        throw new Broken(
          `A property must be read again at most three times; it was ${seqs.size - 1} times.`,
          bench.log.since(from),
        );
      return readsAfterWritten(bench);
    },
  },
];
