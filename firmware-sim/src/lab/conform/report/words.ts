/** The words that every form of the report uses, so that a person finds in one what another has told them. */
import { decodeBody, FrameReader, HUB_FRAME_LIMIT } from "@porchlight/shared/wire";
import { hexOf, type LoggedFrame } from "../frame-log.ts";
import { brokenRules, isProof, type RuleReport, sumOf, type Verdict } from "../rule.ts";

export const VERDICT_WORDS: Readonly<Record<Verdict["kind"], string>> = {
  pass: "pass",
  fail: "FAIL",
  not_applicable: "not applicable",
  not_run: "not run",
};

/** Whether it conforms, in one sentence with its counts. */
export function sumWords(report: RuleReport): string {
  const sum = sumOf(report);
  const counts = `${sum.pass} passed, ${sum.fail} failed, ${sum.not_applicable} not applicable, ${sum.not_run} not run`;
  const broken = brokenRules(report);
  if (broken.length > 0) return `${counts}: ${broken.join(", ")}`;
  if (isProof(report)) return counts;
  return `${counts}. Nothing is proved: ${report.stopped ?? "no rule could be judged."}`;
}

/** What is said of a verdict besides its kind: a note or a reason. */
export function remarkOf(verdict: Verdict): string {
  if (verdict.kind === "pass") return verdict.note ?? "";
  return verdict.kind === "fail" ? "" : verdict.reason;
}

/** A frame as one line: when, from whom, what it says, and its bytes. */
export function frameWords({ at, from, bytes }: LoggedFrame, most?: number): string {
  const when = `${(at / 1000).toFixed(3).padStart(9)} s`;
  return `${when}  ${from === "hub" ? "hub  ->" : "node <-"}  ${saidIn(bytes).padEnd(16)}  ${hexOf(bytes, most)}`;
}

/** The messages in some bytes, by name and seq. */
function saidIn(bytes: Uint8Array): string {
  const words = new FrameReader(HUB_FRAME_LIMIT).push(bytes).map((event) => {
    const body = event.kind === "frame" ? decodeBody(event.body) : event;
    if (body.kind === "message") return `${body.message.type} ${body.message.seq}`;
    return body.kind === "damage" ? body.reason : `type ${body.type} ${body.seq}`;
  });
  return words.slice(0, 3).join(", ");
}
