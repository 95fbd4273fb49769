/** Makes a device report something, for the rules of reports, and waits for the report. */
import type { Message, MessageOf } from "@porchlight/shared/wire";
import type { Heard } from "../line-endpoint.ts";
import type { NodeBench, Stimulus } from "../node-bench.ts";
import { Broken, NotApplicable } from "../rule.ts";
import { type Target, targets } from "../targets.ts";

type Report = Heard & { readonly message: MessageOf<"REPORT"> };
interface ProvokedReport {
  readonly stimulus: Stimulus;
  readonly report: Report;
  readonly target: Target;
}

/** Time limit for a report, ms. */
const SOON = 2000;
export const AGAIN = 500;
/** Tolerated earliness and delay of a repetition, ms. */
export const EARLY = 150;
export const LATE = 400;

export const needsStimulus = (bench: NodeBench) =>
  bench.stimuli.length > 0
    ? undefined
    : "Nothing was reported: there is no command that makes the device report (--stimulate).";

/** Runs stimuli until a wanted property reports one; the report stays unanswered. @throws NotApplicable */
export async function provokedReport(
  bench: NodeBench,
  isWanted: (target: Target) => boolean,
  what: string,
): Promise<ProvokedReport> {
  for (const stimulus of bench.stimuli) {
    await bench.live();
    // Let earlier reports arrive, and keep the pace of P8.
    await bench.pass(300);
    bench.manners.acknowledges = false;
    const mark = bench.mark;
    await stimulus.run();
    await bench.next(mark, SOON, ({ message }) => message.type === "REPORT");
    const [report] = bench.all("REPORT", mark);
    const target = report && targets(bench).find((each) => isOf(each, report.message));
    if (report && target && isWanted(target)) return { stimulus, report, target };
    bench.manners.acknowledges = true;
    if (report) await bench.say({ type: "ACK", seq: report.message.seq });
  }
  throw new NotApplicable(`No stimulus was reported as ${what}.`);
}

export const anything = () => true;
export const isEvent = ({ description }: Target) => !description.access.includes("read");
export const hasValue = (target: Target) => !isEvent(target);

export function isOf(target: Target, message: MessageOf<"REPORT" | "WRITE">): boolean {
  return (
    message.device === target.device &&
    message.service === target.service &&
    message.index === target.index &&
    message.property === target.property
  );
}

/** Waits for a report after a mark. @throws Broken */
export async function reported(
  bench: NodeBench,
  mark: number,
  within: number,
  isWanted: (message: MessageOf<"REPORT">) => boolean,
  what: string,
): Promise<Report> {
  const from = bench.log.end;
  const found = await bench.next(mark, within, ({ message }) => message.type === "REPORT" && isWanted(message));
  if (!found) throw new Broken(what, bench.log.since(from - 4));
  return found as Report;
}

/** Acknowledges reports one after another until none has arrived for a while. */
export async function drainReports(bench: NodeBench, first: Message): Promise<readonly Report[]> {
  const mark = bench.mark;
  bench.manners.acknowledges = true;
  await bench.say({ type: "ACK", seq: first.seq });
  for (let count = -1; count !== bench.all("REPORT", mark).length; ) {
    count = bench.all("REPORT", mark).length;
    await bench.next(bench.mark, 700, ({ message }) => message.type === "REPORT");
  }
  return bench.all("REPORT", mark);
}

/** @throws Broken when a settled report arrives again */
export async function endsHere(bench: NodeBench, seq: number, by: string): Promise<void> {
  // Let frames arrive that are already on their way.
  await bench.pass(bench.jitter);
  const mark = bench.mark;
  const from = bench.log.end;
  await bench.pass(1200);
  if (bench.all("REPORT", mark).some(({ message }) => message.seq === seq))
    throw new Broken(`${by} must complete a report; it was sent again.`, bench.log.since(from));
}
