/** Limits of a team for a soak, one line of words each: `READ p99 under 50ms`, `all lost under 0.1%`, `board reboots under 1`. */

import { unknownWord } from "../../simulator/devices/schema-problems.ts";
import { duration, Mistake } from "../../simulator/read-step.ts";
import { FIGURES, type TimesFigure } from "./times.ts";

/** Counters of the requests of one type. */
const COUNTS = ["lost", "unanswered", "errors"] as const;
/** Counters of the whole run. */
const RUN_COUNTS = { commands: ["failed"], board: ["reboots", "broken"] } as const;

export type RequestCount = (typeof COUNTS)[number];
export type RunCount = "commands failed" | "board reboots" | "board broken";

export type Limit = { readonly words: string } & (
  | { readonly of: "time"; readonly kind: string; readonly figure: TimesFigure; readonly ms: number }
  | { readonly of: "count"; readonly kind: string; readonly figure: RequestCount; readonly most: Most }
  | { readonly of: "run"; readonly figure: RunCount; readonly most: Most }
);

/** Below this number, or below this share of all. */
export type Most = { readonly number: number } | { readonly share: number };

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
  const said = new Set(own.map(subjectOf));
  return [...own, ...DEFAULTS.map(readLimit).filter((limit) => !said.has(subjectOf(limit)))];
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
