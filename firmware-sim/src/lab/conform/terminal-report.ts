/**
 * The report as lines for people: the current rule while a proof runs, one line for each rule as it is proved, and finally the violations.
 */
import { styleText } from "node:util";
import { type Clock, every, type Timer } from "@porchlight/shared/kernel";
import { printable } from "@porchlight/shared/model";
import { decodeBody, FrameReader, HUB_FRAME_LIMIT } from "@porchlight/shared/wire";
import {
  type Begun,
  brokenRules,
  hexOf,
  isProof,
  type LoggedFrame,
  leftOut,
  type Result,
  type RuleReport,
  sumOf,
  type Verdict,
} from "./rule.ts";

const COLOURS = { pass: "green", fail: "red", not_applicable: "dim", not_run: "yellow" } as const;

/** One rule, on one line. @param isStyled whether the output supports colours */
export function resultLine({ id, looksAt, sentence, verdict }: Result, isStyled: boolean): string {
  const word = VERDICT_WORDS[verdict.kind].padEnd(14);
  const shown = isStyled ? styleText(COLOURS[verdict.kind], word, { validateStream: false }) : word;
  const remark = printable(remarkOf(verdict));
  const about = looksAt === "" ? firstSentence(sentence) : looksAt;
  return `${id.padEnd(4)} ${shown} ${about}${remark === "" ? "" : ` (${remark.replace(/\.$/, "")})`}`;
}

/** Every violation with the document's sentence and the offending bytes, the rules that a quick run left out, and the totals. */
export function closingLines(report: RuleReport, isStyled: boolean): string[] {
  const lines: string[] = [];
  for (const { id, sentence, verdict } of report.results) {
    if (verdict.kind !== "fail") continue;
    lines.push("", `${isStyled ? styleText("red", id, { validateStream: false }) : id}. ${sentence}`);
    for (const { what, frames } of verdict.violations) {
      lines.push(`  ${printable(what)}`);
      lines.push(...frames.map((frame) => `    ${printable(frameWords(frame, 48))}`));
    }
  }
  const left = leftOut(report);
  if (left.length > 0) lines.push("", `Left out by --quick: ${left.join(", ")}`);
  const isGood = sumOf(report).fail === 0 && isProof(report);
  const sum = printable(`${report.subject}: ${sumWords(report)}`);
  const colour = isGood ? "green" : "red";
  lines.push("", isStyled ? styleText(colour, sum, { validateStream: false }) : sum);
  return lines;
}

function firstSentence(text: string): string {
  return /^.*?[.:](?= |$)/.exec(text)?.[0] ?? text;
}

/** The report for programs: one JSON object on one line, bytes in hex. */
export function jsonReport(report: RuleReport): string {
  const results = report.results.map(({ id, sentence, looksAt, verdict, ms }) => ({
    rule: id,
    verdict: verdict.kind,
    sentence,
    looks_at: looksAt,
    ms: Math.round(ms),
    remark: remarkOf(verdict),
    violations:
      verdict.kind !== "fail"
        ? []
        : verdict.violations.map(({ what, frames }) => ({ what, frames: frames.map(frameJson) })),
  }));
  const { subject, startedAt, ms, stopped } = report;
  const head = {
    subject,
    started_at: startedAt,
    ms: Math.round(ms),
    sum: sumOf(report),
    is_proof: isProof(report),
    stopped,
  };
  return JSON.stringify({ ...head, results });
}

function frameJson({ at, from, bytes }: { at: number; from: string; bytes: Uint8Array }) {
  return { ms: Math.round(at), from, hex: hexOf(bytes, Number.POSITIVE_INFINITY) };
}

/** Words for verdicts, the same in every form of the report. */
export const VERDICT_WORDS: Readonly<Record<Verdict["kind"], string>> = {
  pass: "pass",
  fail: "FAIL",
  not_applicable: "not applicable",
  not_run: "not run",
};

/** Whether the party conforms, in one sentence with the counts. */
function sumWords(report: RuleReport): string {
  const sum = sumOf(report);
  const counts = `${sum.pass} passed, ${sum.fail} failed, ${sum.not_applicable} not applicable, ${sum.not_run} not run`;
  const broken = brokenRules(report);
  if (broken.length > 0) return `${counts}: ${broken.join(", ")}`;
  if (isProof(report)) return counts;
  return `${counts}. Nothing is proved: ${report.stopped ?? "no rule could be judged."}`;
}

/** The note or reason of a verdict. */
export function remarkOf(verdict: Verdict): string {
  if (verdict.kind === "pass") return verdict.note ?? "";
  return verdict.kind === "fail" ? "" : verdict.reason;
}

/** A frame as one line: time, sender, content and bytes. */
export function frameWords({ at, from, bytes }: LoggedFrame, most?: number): string {
  const when = `${(at / 1000).toFixed(3).padStart(9)} s`;
  return `${when}  ${from === "hub" ? "hub  ->" : "node <-"}  ${statedIn(bytes).padEnd(16)}  ${hexOf(bytes, most)}`;
}

/** The messages in the bytes, by name and seq. */
function statedIn(bytes: Uint8Array): string {
  const words = new FrameReader(HUB_FRAME_LIMIT).push(bytes).map((event) => {
    const body = event.kind === "frame" ? decodeBody(event.body) : event;
    if (body.kind === "message") return `${body.message.type} ${body.message.seq}`;
    return body.kind === "damage" ? body.reason : `type ${body.type} ${body.seq}`;
  });
  return words.slice(0, 3).join(", ");
}

const REDRAW_MS = 1000;
const CLEARED = "\r\u001b[2K";

interface ProgressOptions {
  readonly clock: Clock;
  readonly write: (text: string) => void;
  /** Width of the terminal. */
  readonly columns: number;
}

export class Progress implements Disposable {
  readonly #options: ProgressOptions;
  readonly #redraw: Timer;
  #begun: Begun | undefined;
  #since = 0;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#redraw = every(options.clock, "progress", REDRAW_MS, () => this.#draw());
  }

  begin(begun: Begun): void {
    this.#begun = begun;
    this.#since = this.#options.clock.monotonic();
    this.#draw();
  }

  /** Clears the line, before a line of the report is printed. */
  clear(): void {
    if (this.#begun) this.#options.write(CLEARED);
    this.#begun = undefined;
  }

  [Symbol.dispose](): void {
    this.#redraw.cancel();
    this.clear();
  }

  #draw(): void {
    const { clock, write, columns } = this.#options;
    if (!this.#begun) return;
    const seconds = Math.floor((clock.monotonic() - this.#since) / 1000);
    // A line that fills the last column would wrap.
    write(`${CLEARED}${progressLine(this.#begun, seconds).slice(0, columns - 1)}`);
  }
}

/** `12 of 57  S1  when HELLO comes (takes 80 s): 34 s` */
function progressLine({ id, looksAt, takes, number, of }: Begun, seconds: number): string {
  const length = takes === undefined ? "" : ` (takes ${takes})`;
  const passed = seconds === 0 ? "" : `: ${seconds} s`;
  return `${number} of ${of}  ${id}  ${looksAt}${length}${passed}`;
}
