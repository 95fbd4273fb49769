/** The report as JUnit's XML, which build servers show: a test case for each rule. */
import { isProof, type Result, type RuleReport, sumOf } from "../rule.ts";
import { markup } from "./markup.ts";
import { frameWords, remarkOf } from "./words.ts";

/** One document. */
export function junitReport(report: RuleReport): string {
  const { pass, fail, not_applicable, not_run } = sumOf(report);
  const skipped = not_applicable + not_run;
  const nothing = isProof(report) ? [] : [notProved(report)];
  const tests = pass + fail + skipped + nothing.length;
  const counts = `tests="${tests}" failures="${fail}" errors="${nothing.length}" skipped="${skipped}" time="${seconds(report.ms)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="device protocol" ${counts}>`,
    `<testsuite name="${markup(report.subject)}" ${counts}>`,
    ...nothing,
    ...report.results.map(testCase),
    "</testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** A run that judged nothing must not look green on a build server. */
function notProved({ stopped = "no rule could be judged." }: RuleReport): string {
  const message = markup(`Nothing is proved: ${stopped}`);
  return `<testcase classname="device-protocol" name="proof" time="0.000"><error message="${message}"/></testcase>`;
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
