/** The report of a soak: lines for people, one object for programs, and JUnit's XML with a test case for each limit. */
import { markup } from "../conform/html-report.ts";
import type { Judged, Soaked, Stretch } from "./soak.ts";
import { FIGURES, type KindTimes } from "./times.ts";

const FIXED = ["requests", "lost", "unanswered", "errors"] as const;

export interface SoakReport {
  /** The line, in words. */
  readonly subject: string;
  readonly soaked: Soaked;
  readonly judged: readonly Judged[];
}

export function reportLines({ subject, soaked, judged }: SoakReport): string[] {
  const { ms, commands, failed, reboots, reports, broken, ended } = soaked;
  return [
    `${subject}: ${lengthWords(ms)}, ${commands} commands, ${failed} failed; ${reports} reports, ${reboots} reboots`,
    ...table(soaked.kinds),
    ...broken.map(({ rule, what, times }) => `! ${rule}, ${times} times: ${what}`),
    ...(ended ? [`It ended too early: ${ended.why}.`] : []),
    ...judged.map(({ limit, holds, measured }) => `${holds ? "ok  " : "FAIL"}  ${limit.words}: ${measured}`),
  ];
}

export function reportJson({ subject, soaked, judged }: SoakReport): string {
  const { startedAt, ms, ...rest } = soaked;
  const limits = judged.map(({ limit, holds, measured }) => ({ limit: limit.words, holds, measured }));
  return JSON.stringify({ subject, started_at: startedAt, ms: Math.round(ms), ...rest, limits });
}

/** A suite with a case for each limit, and one for the completion of the run. */
export function reportJunit({ subject, soaked, judged }: SoakReport): string {
  const failures = judged.filter(({ holds }) => !holds).length;
  const errors = soaked.ended ? 1 : 0;
  const counts = `tests="${judged.length + 1}" failures="${failures}" errors="${errors}" skipped="0" time="${(soaked.ms / 1000).toFixed(3)}"`;
  const cases = judged.map(({ limit, holds, measured }) => {
    const open = `<testcase classname="soak" name="${markup(limit.words)}" time="0.000">`;
    return holds ? `${open}</testcase>` : `${open}<failure message="${markup(measured)}"/></testcase>`;
  });
  const end = soaked.ended ? `<error message="${markup(soaked.ended.why)}"/>` : "";
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="soak" ${counts}>`,
    `<testsuite name="${markup(subject)}" ${counts}>`,
    `<testcase classname="soak" name="it runs to its end" time="${(soaked.ms / 1000).toFixed(3)}">${end}</testcase>`,
    ...cases,
    `<system-out>${markup([...reportLines({ subject, soaked, judged }), ...soaked.failures].join("\n"))}</system-out>`,
    "</testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** One line for an interval. */
export function stretchLine({ at, kinds, failed, reboots }: Stretch): string {
  const parts = kinds
    .filter(({ kind }) => kind !== "ALL")
    .map(({ kind, requests, lost, p99 }) => `${kind} ${requests}, p99 ${ms(p99)} ms, ${lost} lost`);
  return `${lengthWords(at)}: ${[...parts, `${failed} failed`, `${reboots} reboots`].join("; ")}`;
}

export function stretchJson({ at, ...rest }: Stretch): string {
  return JSON.stringify({ at: Math.round(at), ...rest });
}

function table(kinds: readonly KindTimes[]): string[] {
  const head = [
    "",
    ...FIXED.map((each) => (each === "lost" ? "tries lost" : each)),
    ...FIGURES.map((each) => `${each} ms`),
  ];
  const rows = [
    head,
    ...kinds.map((each) => [
      each.kind,
      ...FIXED.map((count) => String(each[count])),
      ...FIGURES.map((figure) => ms(each[figure])),
    ]),
  ];
  const widths = head.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  "),
  );
}

function ms(value: number | undefined): string {
  return value === undefined ? "-" : value.toFixed(1);
}

/** `8 h 5 min`, `90 s`. */
function lengthWords(length: number): string {
  const seconds = Math.round(length / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
