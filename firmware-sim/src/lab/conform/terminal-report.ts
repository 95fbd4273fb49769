/** The report as lines for people: one for each rule as it is proved, and finally the violations with their bytes. */
import { styleText } from "node:util";
import { printable } from "@porchlight/shared/model";
import { decodeBody, FrameReader, HUB_FRAME_LIMIT } from "@porchlight/shared/wire";
import { hexOf, type LoggedFrame } from "./frame-log.ts";
import { brokenRules, isProof, leftOut, type Result, type RuleReport, sumOf, type Verdict } from "./rule.ts";

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
  return `${when}  ${from === "hub" ? "hub  ->" : "node <-"}  ${saidIn(bytes).padEnd(16)}  ${hexOf(bytes, most)}`;
}

/** The messages in the bytes, by name and seq. */
function saidIn(bytes: Uint8Array): string {
  const words = new FrameReader(HUB_FRAME_LIMIT).push(bytes).map((event) => {
    const body = event.kind === "frame" ? decodeBody(event.body) : event;
    if (body.kind === "message") return `${body.message.type} ${body.message.seq}`;
    return body.kind === "damage" ? body.reason : `type ${body.type} ${body.seq}`;
  });
  return words.slice(0, 3).join(", ");
}
