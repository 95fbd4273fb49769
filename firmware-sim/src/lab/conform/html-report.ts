/** The report as one self-contained page: violations first, then every rule with its sentence and verdict. */
import { isProof, type Result, type RuleReport, sumOf, type Verdict } from "./rule.ts";
import { frameWords, remarkOf, VERDICT_WORDS } from "./terminal-report.ts";

function titleOf(report: RuleReport, broken: number): string {
  if (broken > 0) return broken === 1 ? "One rule is broken" : `${broken} rules are broken`;
  return isProof(report) ? "No rule is broken" : "Nothing is proved";
}

/** A complete document. @param now the current time in words, in the reader's zone */
export function htmlReport(report: RuleReport, now: string): string {
  const sum = sumOf(report);
  const broken = report.results.filter(({ verdict }) => verdict.kind === "fail");
  const title = titleOf(report, sum.fail);
  const counts = (["pass", "fail", "not_applicable", "not_run"] as const).map(
    (kind) => `<li class="${kind}"><b>${sum[kind]}</b> ${VERDICT_WORDS[kind].toLowerCase()}</li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: ${markup(report.subject)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<p>Porchlight device protocol, version 1</p>
<h1 class="${sum.fail === 0 ? "pass" : "fail"}">${title}</h1>
<p>${markup(report.subject)}, ${markup(now)}, in ${Math.round(report.ms / 1000)} s</p>
<ul class="sum">${counts.join("")}</ul>
</header>
<main>
${broken.map(brokenRule).join("\n")}
<h2>Every rule</h2>
<table>
<thead><tr><th scope="col">Rule</th><th scope="col">Verdict</th><th scope="col">What the document says, and what was looked at</th></tr></thead>
<tbody>
${report.results.map(row).join("\n")}
</tbody>
</table>
</main>
</body>
</html>
`;
}

function brokenRule({ id, sentence, verdict }: Result): string {
  const violations = verdict.kind === "fail" ? verdict.violations : [];
  const shown = violations.map(({ what, frames }) => {
    const bytes =
      frames.length === 0
        ? ""
        : `<pre tabindex="0">${markup(frames.map((frame) => frameWords(frame)).join("\n"))}</pre>`;
    return `<p class="what">${markup(what)}</p>${bytes}`;
  });
  return `<section class="broken" id="broken-${id}"><h2>${id}</h2><blockquote>${markup(sentence)}</blockquote>${shown.join("")}</section>`;
}

function row({ id, sentence, looksAt, verdict }: Result): string {
  const remark = remarkOf(verdict);
  const looked = [looksAt === "" ? "" : `Looked at: ${looksAt}.`, remark === "" ? "" : `${upper(remark)}.`]
    .join(" ")
    .replace("..", ".");
  return `<tr><th scope="row">${id}</th><td class="${verdict.kind}">${verdictCell(id, verdict)}</td><td>${markup(sentence)}<br><small>${markup(looked.trim())}</small></td></tr>`;
}

function verdictCell(id: string, { kind }: Verdict): string {
  return kind === "fail" ? `<a href="#broken-${id}">fail</a>` : VERDICT_WORDS[kind];
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const STYLE = `
:root{color-scheme:light dark;--ink:#1d2327;--soft:#56606a;--paper:#fdfcf9;--line:#d9d5cc;--pass:#17663a;--fail:#a3201d;--warn:#7a5200;--code:#f3f0e8}
@media (prefers-color-scheme:dark){:root{--ink:#eceae4;--soft:#b3b6b8;--paper:#17191b;--line:#3a3d40;--pass:#7fd6a1;--fail:#ff9b93;--warn:#f0c36a;--code:#22262a}}
body{margin:0 auto;padding:2rem 1.25rem 4rem;max-width:60rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
header p{margin:0;color:var(--soft)}h1{margin:.2rem 0;font-size:2rem}h2{margin:2rem 0 .5rem;font-size:1.25rem}
.sum{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;margin:1rem 0 0;padding:0;list-style:none}
.pass{color:var(--pass)}.fail,.fail a{color:var(--fail);font-weight:600}.not_run{color:var(--warn)}.not_applicable{color:var(--soft)}
.broken{border-left:4px solid var(--fail);margin:1.5rem 0;padding:0 1rem}.broken h2{margin:0}
blockquote{margin:.25rem 0;color:var(--soft)}.what{margin:.75rem 0 .25rem}
pre{margin:0;padding:.75rem;overflow-x:auto;background:var(--code);font:13px/1.5 ui-monospace,monospace}
table{width:100%;border-collapse:collapse}th,td{padding:.5rem .75rem .5rem 0;border-top:1px solid var(--line);text-align:left;vertical-align:top}
tbody th{font-weight:600}td:nth-child(2){white-space:nowrap}small{color:var(--soft)}`;

/** The report as JUnit's XML, which build servers show: a suite for each report, a test case for each rule. */
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

/** A run that judged nothing must not appear green on a build server. */
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

/** Escapes a device's text for HTML and XML, and drops characters that XML 1.0 cannot contain. */
export function markup(text: string): string {
  return [...text]
    .filter((letter) => letter >= " " || letter === "\n" || letter === "\t")
    .join("")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
