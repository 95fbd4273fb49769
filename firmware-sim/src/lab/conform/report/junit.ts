/** The report as JUnit's XML, which build servers show: a test case for each rule. */
import { isProof, type Result, type RuleReport, sumOf } from "../rule.ts";
import { markup } from "./markup.ts";
import { frameWords, remarkOf } from "./words.ts";

/** One document: a suite for each report. */
export function junitReport(reports: readonly RuleReport[]): string {
  const counts = reports.map(countsOf);
  const sum = (key: keyof Counts) => counts.reduce((total, each) => total + each[key], 0);
  const all = { tests: sum("tests"), failures: sum("failures"), errors: sum("errors"), skipped: sum("skipped") };
  const longest = Math.max(...reports.map(({ ms }) => ms));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="device protocol" ${countWords(all, longest)}>`,
    ...reports.flatMap(suite),
    "</testsuites>",
    "",
  ].join("\n");
}

interface Counts {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

function suite(report: RuleReport): string[] {
  return [
    `<testsuite name="${markup(report.subject)}" ${countWords(countsOf(report), report.ms)}>`,
    ...(isProof(report) ? [] : [notProved(report)]),
    ...report.results.map(testCase),
    "</testsuite>",
  ];
}

function countsOf(report: RuleReport): Counts {
  const { pass, fail, not_applicable, not_run } = sumOf(report);
  const skipped = not_applicable + not_run;
  const errors = isProof(report) ? 0 : 1;
  return { tests: pass + fail + skipped + errors, failures: fail, errors, skipped };
}

function countWords({ tests, failures, errors, skipped }: Counts, ms: number): string {
  return `tests="${tests}" failures="${failures}" errors="${errors}" skipped="${skipped}" time="${seconds(ms)}"`;
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
