/** The report as JUnit's XML, which build servers show: a test case for each rule. */
import { type Result, type RuleReport, sumOf } from "../rule.ts";
import { markup } from "./markup.ts";
import { frameWords, remarkOf } from "./words.ts";

/** One document. */
export function junitReport(report: RuleReport): string {
  const { pass, fail, not_applicable, not_run } = sumOf(report);
  const skipped = not_applicable + not_run;
  const counts = `tests="${pass + fail + skipped}" failures="${fail}" skipped="${skipped}" time="${seconds(report.ms)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="device protocol" ${counts}>`,
    `<testsuite name="${markup(report.subject)}" ${counts}>`,
    ...report.results.map(testCase),
    "</testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function testCase({ id, sentence, verdict, ms }: Result): string {
  const open = `<testcase classname="device-protocol" name="${id}: ${markup(sentence.slice(0, 120))}" time="${seconds(ms)}">`;
  if (verdict.kind === "pass") return `${open}</testcase>`;
  if (verdict.kind !== "fail") return `${open}<skipped message="${markup(remarkOf(verdict))}"/></testcase>`;
  const body = verdict.violations.flatMap(({ what, frames }) => [what, ...frames.map((frame) => frameWords(frame))]);
  const first = verdict.violations[0]?.what ?? "";
  return `${open}<failure message="${markup(first)}">${markup([sentence, ...body].join("\n"))}</failure></testcase>`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
