/** Rules S1 and S6: the interval of a node's HELLOs, and its silence after a refusal. One wait serves both. */
import type { NodeBench } from "../node-bench.ts";
import { Broken, type LoggedFrame, NotApplicable, type Rule } from "../rule.ts";
import { EARLY_HELLO, endsWithAck, hellosEvery, LATE_HELLO } from "./start.ts";

/**
 * Results of a course. A course is a long procedure that runs once and by which several rules are judged, so that its waits happen only
 * once.
 */
export class Findings {
  readonly #broken = new Map<string, Broken>();
  /** Why the course ended early. */
  ended: unknown;

  /** Records a violation; the first one of each rule counts. */
  broken(rule: string, what: string, frames: readonly LoggedFrame[]): void {
    if (!this.#broken.has(rule)) this.#broken.set(rule, new Broken(what, frames));
  }

  /** Runs a check, which throws Broken when the rule is violated. */
  async judge(rule: string, look: () => Promise<void>): Promise<void> {
    try {
      await look();
    } catch (failure) {
      if (!(failure instanceof Broken)) throw failure;
      this.broken(rule, failure.message, failure.frames);
    }
  }

  of(rule: string): Broken | undefined {
    return this.#broken.get(rule);
  }
}

export class Course<Bench extends object> {
  readonly #go: (bench: Bench, findings: Findings) => Promise<void>;
  readonly #gone = new WeakMap<Bench, Promise<Findings>>();

  /** @param go runs the course and records violations */
  constructor(go: (bench: Bench, findings: Findings) => Promise<void>) {
    this.#go = go;
  }

  /** The result of one rule; the first call waits for the complete course. @throws Broken, and the error that ended it early */
  async verdict(bench: Bench, rule: string): Promise<void> {
    const gone = this.#gone.get(bench) ?? this.#through(bench);
    this.#gone.set(bench, gone);
    const findings = await gone;
    const failure = findings.of(rule) ?? findings.ended;
    if (failure !== undefined) throw failure;
  }

  async #through(bench: Bench): Promise<Findings> {
    const findings = new Findings();
    try {
      await this.#go(bench, findings);
    } catch (failure) {
      findings.ended = failure instanceof Broken ? new NotApplicable(failure.message) : failure;
    }
    return findings;
  }
}

const SECOND = 1000;
const MINUTE = 60_000;
/** Interval of HELLOs after a minute, ms. */
const PATIENT = 10_000;
/** Number of HELLOs of the first minute to check before one is refused. */
const FIRST = 15;
/** Number of HELLOs to check when S1 is selected by its number: nearly all of the minute. */
const ALL = 57;
/** How long to check the silence after ERROR 11 and 12, ms. */
const QUIET_11 = 5000;
const QUIET_12 = 58_000;

const greeting = new Course(async (bench: NodeBench, findings) => {
  await bench.greet();
  await findings.judge("S1", () => hellosEvery(bench, SECOND, FIRST, "In the first minute"));
  await findings.judge("S6", () => refused(bench, 11, QUIET_11));
  await answersWho(bench, findings);
  const since = bench.clock.monotonic();
  bench.isGreeting = true;
  try {
    await Promise.all([findings.judge("S6", () => refused(bench, 12, QUIET_12)), bench.meanwhile()]);
  } finally {
    bench.isGreeting = false;
  }
  await findings.judge("S6", () => comesBack(bench, since));
  // A node that comes back too early has not reached the end of the minute.
  if (!findings.of("S6")) await findings.judge("S1", () => patient(bench));
  await findings.judge("S1", () => endsWithAck(bench));
});

/** Refuses the last HELLO. @throws Broken when it arrives again within `quiet` ms */
async function refused(bench: NodeBench, code: 11 | 12, quiet: number): Promise<void> {
  const seq = bench.all("HELLO", 0).at(-1)?.message.seq ?? 0;
  const from = bench.log.end;
  await bench.say({ type: "ERROR", seq, code, text: "" });
  // Let frames arrive that are already on their way.
  await bench.pass(200);
  const mark = bench.mark;
  await bench.pass(quiet);
  if (bench.all("HELLO", mark).length > 0)
    throw new Broken(
      `A HELLO that was answered with ERROR ${code} must not be repeated for 60 s.`,
      bench.log.since(from),
    );
}

/** Checks that a WHO ends the silence. @throws Unreachable */
async function answersWho(bench: NodeBench, findings: Findings): Promise<void> {
  const from = bench.log.end;
  if (await bench.call(1)) return;
  findings.broken("S6", "WHO must be answered with HELLO at once, also after ERROR 11 or 12.", bench.log.since(from));
  bench.isGreeting = false;
  await bench.next(bench.mark, MINUTE, ({ message }) => message.type === "HELLO");
  await bench.greet();
}

/** @throws Broken when no HELLO arrives after the minute */
async function comesBack(bench: NodeBench, since: number): Promise<void> {
  const isLate = ({ at }: { readonly at: number }) => at >= since + QUIET_12;
  const within = since + MINUTE + 3000 + bench.jitter - bench.clock.monotonic();
  await bench.next(bench.mark, within, ({ message }) => message.type === "HELLO");
  if (!bench.all("HELLO", 0).some(isLate)) throw new Broken("After 60 s HELLO must be sent again.");
}

/**
 * Checks that HELLO arrives every ten seconds after a minute. A node that restarts the minute after a refusal gets another minute.
 * @throws Broken
 */
async function patient(bench: NodeBench): Promise<void> {
  const mark = bench.mark;
  const soon = await bench.next(mark, SECOND + LATE_HELLO + bench.jitter, ({ message }) => message.type === "HELLO");
  if (soon) {
    await hellosEvery(bench, SECOND, ALL - 1, "In the first minute");
    await bench.pass(4 * SECOND);
  }
  const last = bench.all("HELLO", 0).at(-1);
  const from = bench.log.end;
  const next = await bench.next(
    bench.mark,
    PATIENT + LATE_HELLO + bench.jitter,
    ({ message }) => message.type === "HELLO",
  );
  const gap = (next?.at ?? 0) - (last?.at ?? 0);
  if (next && gap >= PATIENT - EARLY_HELLO - bench.jitter && gap <= PATIENT + LATE_HELLO + bench.jitter) return;
  const what = next ? `one came after ${Math.round(gap)} ms` : "none came";
  throw new Broken(`After a minute HELLO must come every 10 s; ${what}.`, bench.log.since(from));
}

/** Checks the whole minute and the HELLOs after it. @throws Broken */
async function wholeMinute(bench: NodeBench): Promise<undefined> {
  const { at } = await bench.greet();
  await hellosEvery(bench, SECOND, ALL, "In the first minute");
  await bench.pass(Math.max(0, at + MINUTE + 2 * SECOND - bench.clock.monotonic()));
  await bench.next(bench.mark, PATIENT + 2 * SECOND, ({ message }) => message.type === "HELLO");
  await hellosEvery(bench, PATIENT, 1, "After a minute");
  await endsWithAck(bench);
  return undefined;
}

export const REFUSAL: readonly Rule<NodeBench>[] = [
  {
    id: "S1",
    looksAt: "HELLO every second for a minute, then every ten, until a HELLO_ACK",
    takes: "95 s with S6, while F10 runs beside them",
    async run(bench) {
      if (bench.isAskedFor("S1")) return wholeMinute(bench);
      await greeting.verdict(bench, "S1");
      return `${FIRST} s of the first minute; --only S1 looks at all of it`;
    },
  },
  {
    id: "S6",
    looksAt: "a HELLO that is answered with ERROR 11 and 12, and WHO meanwhile",
    takes: "95 s with S1",
    async run(bench) {
      await greeting.verdict(bench, "S6");
      return undefined;
    },
  },
];
