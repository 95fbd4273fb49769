/** The report for machines: one JSON object, bytes in hex. */
import { hexOf } from "../frame-log.ts";
import { isProof, type RuleReport, sumOf } from "../rule.ts";
import { remarkOf } from "./words.ts";

/** One JSON text, on one line. */
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
