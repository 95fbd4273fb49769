/** The report as lines for a person: one a rule as it is proved, and at the end what was broken, with its bytes. */
import { styleText } from "node:util";
import { printable } from "@porchlight/shared/model";
import { isProof, leftOut, type Result, type RuleReport, sumOf } from "../rule.ts";
import { frameWords, remarkOf, sumWords, VERDICT_WORDS } from "./words.ts";

const COLOURS = { pass: "green", fail: "red", not_applicable: "dim", not_run: "yellow" } as const;

/** One rule, on one line. @param isStyled whether the reader sees colours */
export function resultLine({ id, looksAt, sentence, verdict }: Result, isStyled: boolean): string {
  const word = VERDICT_WORDS[verdict.kind].padEnd(14);
  const shown = isStyled ? styleText(COLOURS[verdict.kind], word, { validateStream: false }) : word;
  const remark = printable(remarkOf(verdict));
  const about = looksAt === "" ? firstSentence(sentence) : looksAt;
  return `${id.padEnd(4)} ${shown} ${about}${remark === "" ? "" : ` (${remark.replace(/\.$/, "")})`}`;
}

/** What was broken, each with the sentence of the document and the offending bytes, what a quick run has left out, and the sum. */
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
