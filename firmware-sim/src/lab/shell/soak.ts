/** A soak: repeats commands of the shell for hours, counts everything, and keeps nothing that grows. */
import type { Clock, Random } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { unknownWord } from "../../simulator/devices/schema-problems.ts";
import { duration, Mistake } from "../../simulator/read-step.ts";
import { type BoardEvent, ShellBoard } from "./board.ts";
import { readCommand } from "./command.ts";
import { Shell } from "./shell.ts";
import { FIGURES, type KindTimes, type RequestTime, Times, type TimesFigure } from "./times.ts";

export interface SoakOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly link: ByteLink;
  /** Tolerated delay of a frame on a busy machine, ms. */
  readonly jitter: number;
  /** Name of the line. */
  readonly where: string;
  /** Commands of the shell, executed in order, repeatedly. */
  readonly lines: readonly string[];
  /** Duration, ms. */
  readonly ms: number;
  /** Pause between two commands, ms. */
  readonly pause: number;
  /** Interval of `onInterval`, ms. */
  readonly interval: number;
  readonly signal: AbortSignal;
  /** Receives the figures since the last interval. */
  readonly onInterval: (stretch: Stretch) => void;
  /** Called with each failure as it happens, up to twenty. */
  readonly onTrouble: (text: string) => void;
}

export interface Stretch {
  /** ms since the start. */
  readonly at: number;
  readonly kinds: readonly KindTimes[];
  /** Number since the start. */
  readonly failed: number;
  readonly reboots: number;
}

/** Number of failures and violations that are described; further ones are only counted. */
const MOST_REPORTED = 20;
/** Commands that send nothing to the board, or that end or repeat. */
const SENSELESS = ["help", "devices", "times", "repeat", "quit"];

/** @throws Mistake for an invalid line @throws Unreachable when the board never answers */
export async function soak(options: SoakOptions): Promise<Soaked> {
  return new Soak(options).run();
}

class Soak {
  readonly #options: SoakOptions;
  readonly #board: ShellBoard;
  readonly #shell: Shell;
  readonly #all = new Times();
  #stretch = new Times();
  readonly #broken = new Map<string, BrokenRule>();
  readonly #failures: string[] = [];
  #commands = 0;
  #failed = 0;
  #reboots = 0;
  #reports = 0;
  #boot: number | undefined;
  #reported = 0;

  constructor(options: SoakOptions) {
    const { clock, random, link, jitter, where } = options;
    this.#options = options;
    this.#board = new ShellBoard({
      ...{ clock, random, link, jitter },
      onEvent: (event) => this.#event(event),
      onRequest: (kind, time) => this.#requested(kind, time),
    });
    this.#shell = new Shell({ board: this.#board, where, show: ({ ok, text }) => ok || this.#note(text) });
  }

  async run(): Promise<Soaked> {
    const { clock, ms, interval, signal, onInterval } = this.#options;
    const board = this.#board;
    const startedAt = clock.now();
    try {
      await board.learnWhenStale();
      this.#boot = board.hello?.boot;
      this.#checkLines();
      const begin = clock.monotonic();
      const elapsed = () => clock.monotonic() - begin;
      let next = interval;
      while (elapsed() < ms && !signal.aborted && board.closed === undefined) {
        for (const line of this.#options.lines) {
          if (elapsed() >= ms || signal.aborted || board.closed !== undefined) break;
          await this.#once(line);
        }
        while (elapsed() >= next) {
          onInterval({ at: next, kinds: this.#stretch.all, failed: this.#failed, reboots: this.#reboots });
          this.#stretch = new Times();
          next += interval;
        }
      }
      return this.#soaked(startedAt, elapsed());
    } finally {
      board.end();
    }
  }

  async #once(line: string): Promise<void> {
    const { pause, signal } = this.#options;
    this.#commands += 1;
    if ((await this.#shell.run(line)) === "failed" && !signal.aborted) this.#failed += 1;
    this.#sawBoot();
    if (pause > 0) await this.#board.pass(pause);
  }

  #checkLines(): void {
    for (const line of this.#options.lines) {
      const command = readCommand(line, this.#board.devices);
      if (SENSELESS.includes(command.do)) throw new Mistake(`${command.do} is nothing to be repeated for hours`);
    }
  }

  #soaked(startedAt: number, ms: number): Soaked {
    const { signal } = this.#options;
    const { closed } = this.#board;
    const why = { by: "board", why: `the line is down: ${closed}` } as const;
    const ended = signal.aborted ? ({ by: "signal", why: "it was interrupted" } as const) : closed ? why : undefined;
    return {
      ...{ startedAt, ms, commands: this.#commands, failed: this.#failed, failures: this.#failures },
      ...{ reboots: this.#reboots, broken: [...this.#broken.values()], reports: this.#reports },
      ...{ kinds: this.#all.all, ended },
    };
  }

  #requested(kind: string, time: RequestTime): void {
    // A request that is running when the soak is interrupted is neither lost nor answered.
    if (this.#options.signal.aborted) return;
    for (const times of [this.#all, this.#stretch]) {
      times.add(kind, time);
      times.add("ALL", time);
    }
  }

  #event(event: BoardEvent): void {
    if (event.kind === "report") this.#reports += 1;
    if (event.kind === "greeted") this.#greeted(event.message.info.boot);
    if (event.kind !== "broken") return;
    const { rule, what } = event.violation;
    const known = this.#broken.get(rule);
    this.#broken.set(rule, { rule, what: known?.what ?? what, times: (known?.times ?? 0) + 1 });
    if (!known) this.#tell(`! ${rule}: ${what}`);
  }

  /** Handles an unsolicited HELLO. Without a boot number each one counts as a reboot (S5). */
  #greeted(boot: number): void {
    this.#sawBoot();
    if (boot !== 0) return;
    this.#reboots += 1;
    this.#tell("the board has greeted again, without a boot number: it counts as a reboot");
  }

  /** Records another boot number, however it became known. */
  #sawBoot(): void {
    const boot = this.#board.hello?.boot;
    if (boot === this.#boot || boot === undefined || this.#boot === undefined) return;
    this.#reboots += 1;
    this.#tell(`the board has rebooted: boot ${boot}, before ${this.#boot}`);
    this.#boot = boot;
  }

  /** Records a failed command. */
  #note(text: string): void {
    if (this.#options.signal.aborted) return;
    if (this.#failures.length < MOST_REPORTED) this.#failures.push(text);
    this.#tell(text);
  }

  #tell(text: string): void {
    this.#reported += 1;
    if (this.#reported <= MOST_REPORTED) this.#options.onTrouble(text);
    if (this.#reported === MOST_REPORTED) this.#options.onTrouble("more of this is counted, and told at the end");
  }
}

/** A rule that the board violated, and the number of times. */
interface BrokenRule {
  readonly rule: string;
  /** Description of the first violation. */
  readonly what: string;
  readonly times: number;
}

export interface Soaked {
  /** Wall-clock ms. */
  readonly startedAt: number;
  readonly ms: number;
  readonly commands: number;
  readonly failed: number;
  /** Messages of the first failed commands. */
  readonly failures: readonly string[];
  readonly reboots: number;
  readonly broken: readonly BrokenRule[];
  /** Number of the board's own reports. */
  readonly reports: number;
  /** By type of request; `ALL` stands for all of them. */
  readonly kinds: readonly KindTimes[];
  /** Why the soak ended early. */
  readonly ended?: { readonly by: "signal" | "board"; readonly why: string } | undefined;
}

/** A limit and the measured value. */
export interface Judged {
  readonly limit: Limit;
  readonly holds: boolean;
  /** The value in words. */
  readonly measured: string;
}

export function judge(soaked: Soaked, limits: readonly Limit[]): readonly Judged[] {
  return limits.map((limit) => judgeOne(soaked, limit));
}

function judgeOne(soaked: Soaked, limit: Limit): Judged {
  if (limit.of === "run") {
    const all = limit.figure === "commands failed" ? soaked.commands : undefined;
    return counted(limit, runCount(soaked, limit.figure), all, limit.most);
  }
  const kind = soaked.kinds.find((each) => each.kind === limit.kind);
  // A limit for a type that was never sent must fail, or it would always be green.
  if (!kind) return { limit, holds: false, measured: `no ${limit.kind} was sent` };
  if (limit.of === "count")
    return counted(limit, kind[limit.figure], limit.figure === "lost" ? kind.tries : kind.requests, limit.most);
  const ms = kind[limit.figure];
  if (ms === undefined) return { limit, holds: false, measured: `no ${limit.kind} was answered` };
  return { limit, holds: ms < limit.ms, measured: `${ms.toFixed(1)} ms` };
}

function runCount({ failed, reboots, broken }: Soaked, figure: RunCount): number {
  switch (figure) {
    case "commands failed":
      return failed;
    case "board reboots":
      return reboots;
    case "board broken":
      return broken.reduce((sum, { times }) => sum + times, 0);
  }
}

function counted(limit: Limit, count: number, all: number | undefined, most: Most): Judged {
  const share = all === undefined || all === 0 ? 0 : count / all;
  const holds = "number" in most ? count < most.number : share < most.share;
  const measured = all === undefined ? String(count) : `${count} of ${all} (${(100 * share).toFixed(3)} %)`;
  return { limit, holds, measured };
}

/** Counters of the requests of one type. */
const COUNTS = ["lost", "unanswered", "errors"] as const;
/** Counters of the whole run. */
const RUN_COUNTS = { commands: ["failed"], board: ["reboots", "broken"] } as const;

type RequestCount = (typeof COUNTS)[number];
type RunCount = "commands failed" | "board reboots" | "board broken";

type Limit = { readonly words: string } & (
  | { readonly of: "time"; readonly kind: string; readonly figure: TimesFigure; readonly ms: number }
  | { readonly of: "count"; readonly kind: string; readonly figure: RequestCount; readonly most: Most }
  | { readonly of: "run"; readonly figure: RunCount; readonly most: Most }
);

/** Below this number, or below this share of all. */
type Most = { readonly number: number } | { readonly share: number };

/** Limits that apply unless the team sets its own. */
const DEFAULTS = ["commands failed under 1", "board reboots under 1", "board broken under 1"];

/** Types of requests that the shell sends; `ALL` stands for all of them. */
const KINDS = ["READ", "WRITE", "PING", "DESCRIBE", "IDENTIFY", "ALL"];

/** The limits of a run: the team's, and the defaults for the rest. @throws Mistake */
export function limitsOf(lines: readonly string[]): readonly Limit[] {
  const own = lines
    .map((line) => line.replace(/#.*/, "").trim())
    .filter((line) => line !== "")
    .map(readLimit);
  const stated = new Set(own.map(subjectOf));
  return [...own, ...DEFAULTS.map(readLimit).filter((limit) => !stated.has(subjectOf(limit)))];
}

/** @throws Mistake */
function readLimit(line: string): Limit {
  const [, subject = "", figure = "", value = ""] = /^(\S+)\s+(\S+)\s+under\s+(\S+)$/.exec(line.trim()) ?? [];
  if (subject === "") throw new Mistake(`"${line}" is no limit: say KIND FIGURE under VALUE, as READ p99 under 50ms`);
  if (subject === "commands" || subject === "board") {
    const known: readonly string[] = RUN_COUNTS[subject];
    if (!known.includes(figure)) throw new Mistake(unknownWord("figure", figure, known));
    return { words: line, of: "run", figure: `${subject} ${figure}` as RunCount, most: mostOf(value) };
  }
  const kind = subject.toUpperCase();
  if (!KINDS.includes(kind)) throw new Mistake(unknownWord("kind", subject, [...KINDS, "commands", "board"]));
  if (isOneOf(FIGURES, figure)) return { words: line, of: "time", kind, figure, ms: duration(value) };
  if (isOneOf(COUNTS, figure)) return { words: line, of: "count", kind, figure, most: mostOf(value) };
  throw new Mistake(unknownWord("figure", figure, [...FIGURES, ...COUNTS]));
}

function mostOf(value: string): Most {
  const [, number = "", percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(value) ?? [];
  const is = Number(number);
  if (number === "" || (percent === "" && !Number.isInteger(is)) || is === 0)
    throw new Mistake(`"${value}" is no limit of a count: say a whole number above 0, or a share as 0.1%`);
  return percent === "%" ? { share: is / 100 } : { number: is };
}

function subjectOf(limit: Limit): string {
  return limit.of === "run" ? limit.figure : `${limit.kind} ${limit.figure}`;
}

function isOneOf<Word extends string>(words: readonly Word[], word: string): word is Word {
  return words.some((each) => each === word);
}
