/** A rule of the device protocol with its proof, and what is found: the same for a node and for a hub. */
import type { LoggedFrame } from "./frame-log.ts";

/** What broke a rule. */
export interface Violation {
  /** Its number in the protocol document. */
  readonly rule: string;
  /** What happened, and what was to happen, in a sentence. */
  readonly what: string;
  /** The offending bytes, in the order in which they passed. */
  readonly frames: readonly LoggedFrame[];
}

export type Verdict =
  /** `note`: how far it was judged. */
  | { readonly kind: "pass"; readonly note?: string | undefined }
  | { readonly kind: "fail"; readonly violations: readonly Violation[] }
  /** The rule asks nothing of this one, for what it declares or for what there is to judge it by. */
  | { readonly kind: "not_applicable"; readonly reason: string }
  /** It was left out, or what came before made it impossible. */
  | { readonly kind: "not_run"; readonly reason: string };

/** One rule, and how it is proved on a bench. */
export interface Rule<Bench> {
  /** Its number in the protocol document. */
  readonly id: string;
  /** What is looked at, in one line. */
  readonly looksAt: string;
  /** Left out of a quick run: how long it takes, in words. */
  readonly takes?: string | undefined;
  /** It sends nothing that a rule which waits is disturbed by, and runs while one does. */
  readonly runsBeside?: true | undefined;
  /** Why it asks nothing here; undefined when it does. */
  applies?(bench: Bench): string | undefined;
  /**
   * Proves it; gives how far it could be judged, when there is something to say.
   * @throws Broken when it is broken
   * @throws NotApplicable when it turns out on the way that there is nothing to judge
   */
  run(bench: Bench): Promise<string | undefined>;
}

/** A rule that is tried from now on. */
export interface Begun extends Pick<Rule<never>, "id" | "looksAt" | "takes"> {
  /** Its place among those that are tried, from 1. */
  readonly number: number;
  /** How many are tried. */
  readonly of: number;
}

/** Who follows a proof while it runs. */
export interface Follower {
  readonly onBegin?: ((rule: Begun) => void) | undefined;
  /** Told of each result as it comes; what is broken unasked can change it until the end. */
  readonly onResult?: ((result: Result) => void) | undefined;
}

/** A rule is broken. */
export class Broken extends Error {
  override readonly name = "Broken";
  readonly frames: readonly LoggedFrame[];

  /** @param what what happened, and what was to happen @param frames the offending bytes */
  constructor(what: string, frames: readonly LoggedFrame[] = []) {
    super(what);
    this.frames = frames;
  }
}

/** There is nothing here by which a rule could be judged. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** The other side cannot be spoken to any more: nothing that follows can be proved. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
  /** The number that says that it was to answer; undefined when it is the one that is being proved. */
  readonly rule: string | undefined;

  constructor(what: string, rule?: string) {
    super(what);
    this.rule = rule;
  }
}

export interface Result {
  readonly id: string;
  /** The sentence of the protocol document. */
  readonly sentence: string;
  readonly looksAt: string;
  readonly verdict: Verdict;
  /** How long it took, ms. */
  readonly ms: number;
}

export interface RuleReport {
  /** What was proved: a port and who was there, in words. */
  readonly subject: string;
  /** Wall-clock ms. */
  readonly startedAt: number;
  readonly ms: number;
  readonly results: readonly Result[];
  /** Why the rest could not be tried, when it could not. */
  readonly stopped?: string | undefined;
}

/** Whether the report says anything of the other side: a rule was judged, and all that were to be tried could be. */
export function isProof(report: RuleReport): boolean {
  const { pass, fail } = sumOf(report);
  return fail > 0 || (pass > 0 && report.stopped === undefined);
}

/** How many results there are of each kind. */
export function sumOf(report: RuleReport): Readonly<Record<Verdict["kind"], number>> {
  const sum = { pass: 0, fail: 0, not_applicable: 0, not_run: 0 };
  for (const { verdict } of report.results) sum[verdict.kind] += 1;
  return sum;
}

/** How the reason begins why a rule that takes long was not tried. */
export const LEFT_OUT = "left out of a quick run";

/** The numbers of the rules that a quick run has left out. */
export function leftOut(report: RuleReport): string[] {
  return report.results.flatMap(({ id, verdict }) =>
    verdict.kind === "not_run" && verdict.reason.startsWith(LEFT_OUT) ? [id] : [],
  );
}

/** The numbers of the rules that are broken, in the order of the report. */
export function brokenRules(report: RuleReport): string[] {
  return report.results.flatMap(({ id, verdict }) => (verdict.kind === "fail" ? [id] : []));
}
