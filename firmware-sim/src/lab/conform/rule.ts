/**
 * A rule of the device protocol, its sentence in the document, its proof, the frames that led to a verdict, and its result: shared by the
 * proofs of nodes and hubs.
 */
import type { Clock } from "@porchlight/shared/kernel";

/** A violation of a rule. */
export interface Violation {
  /** Number of the rule in the protocol document. */
  readonly rule: string;
  /** The observed and the required behaviour, in a sentence. */
  readonly what: string;
  /** The offending bytes, in the order of transmission. */
  readonly frames: readonly LoggedFrame[];
}

export type Verdict =
  /** `note`: how far the rule could be judged. */
  | { readonly kind: "pass"; readonly note?: string | undefined }
  | { readonly kind: "fail"; readonly violations: readonly Violation[] }
  /** The rule does not apply, because of what the other side declares or what the bench offers. */
  | { readonly kind: "not_applicable"; readonly reason: string }
  /** The rule was left out, or an earlier failure made it impossible. */
  | { readonly kind: "not_run"; readonly reason: string };

/** One rule, and its proof on a bench. */
export interface Rule<Bench> {
  /** Number of the rule in the protocol document. */
  readonly id: string;
  /** What the proof checks, in one line. */
  readonly looksAt: string;
  /** Duration in words; a rule with one is left out of a quick run. */
  readonly takes?: string | undefined;
  /** Its proof sends nothing that would disturb a waiting rule, so it runs while one waits. */
  readonly runsBeside?: true | undefined;
  /** Why the rule does not apply; undefined when it does. */
  applies?(bench: Bench): string | undefined;
  /**
   * Proves the rule; returns how far it could be judged, when that is worth a note.
   * @throws Broken when the rule is broken
   * @throws NotApplicable when the proof finds nothing to judge
   */
  run(bench: Bench): Promise<string | undefined>;
}

/** A rule whose proof begins. */
export interface Begun extends Pick<Rule<never>, "id" | "looksAt" | "takes"> {
  /** Position among the tried rules, from 1. */
  readonly number: number;
  /** Number of tried rules. */
  readonly of: number;
}

/** Follows the progress of a proof. */
export interface Follower {
  readonly onBegin?: ((rule: Begun) => void) | undefined;
  /** Called with each result when it is available; a violation observed in passing can change it until the end. */
  readonly onResult?: ((result: Result) => void) | undefined;
}

/** The rule is broken. */
export class Broken extends Error {
  override readonly name = "Broken";
  readonly frames: readonly LoggedFrame[];

  /** @param what the observed and the required behaviour @param frames the offending bytes */
  constructor(what: string, frames: readonly LoggedFrame[] = []) {
    super(what);
    this.frames = frames;
  }
}

/** The bench offers nothing by which the rule could be judged. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** The other side does not answer any more: no further rule can be proved. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
  /** Number of the rule that required an answer; undefined when it is the rule being proved. */
  readonly rule: string | undefined;

  constructor(what: string, rule?: string) {
    super(what);
    this.rule = rule;
  }
}

export interface Result {
  readonly id: string;
  /** Sentence of the protocol document. */
  readonly sentence: string;
  readonly looksAt: string;
  readonly verdict: Verdict;
  /** Duration of the proof, ms. */
  readonly ms: number;
}

export interface RuleReport {
  /** The proved party: the port and its name, in words. */
  readonly subject: string;
  /** Wall-clock ms. */
  readonly startedAt: number;
  readonly ms: number;
  readonly results: readonly Result[];
  /** Why the remaining rules could not be tried, when they could not. */
  readonly stopped?: string | undefined;
}

/** Whether the report is conclusive: at least one rule was judged, and every selected rule could be tried. */
export function isProof(report: RuleReport): boolean {
  const { pass, fail } = sumOf(report);
  return fail > 0 || (pass > 0 && report.stopped === undefined);
}

/** Number of results of each kind. */
export function sumOf(report: RuleReport): Readonly<Record<Verdict["kind"], number>> {
  const sum = { pass: 0, fail: 0, not_applicable: 0, not_run: 0 };
  for (const { verdict } of report.results) sum[verdict.kind] += 1;
  return sum;
}

/** Beginning of the reason for not trying a rule that takes long. */
export const LEFT_OUT = "left out of a quick run";

/** Numbers of the rules that a quick run left out. */
export function leftOut(report: RuleReport): string[] {
  return report.results.flatMap(({ id, verdict }) =>
    verdict.kind === "not_run" && verdict.reason.startsWith(LEFT_OUT) ? [id] : [],
  );
}

/** Numbers of the broken rules, in the order of the report. */
export function brokenRules(report: RuleReport): string[] {
  return report.results.flatMap(({ id, verdict }) => (verdict.kind === "fail" ? [id] : []));
}

/** The text of each number, in the order of the document, without marks of emphasis and code. */
export function ruleTexts(document: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let open: { id: string; words: string[] } | undefined;
  const close = () => {
    if (open) texts.set(open.id, plain(open.words.join(" ")));
    open = undefined;
  };
  for (const line of document.split("\n")) {
    const begun = /^\*\*([A-Z]\d+)\.\*\* (.*)$/.exec(line);
    if (begun) {
      close();
      open = { id: begun[1] ?? "", words: [begun[2] ?? ""] };
    } else if (/^\s*$|^[#|`-]/.test(line)) close();
    else open?.words.push(line.trim());
  }
  close();
  return texts;
}

function plain(text: string): string {
  return text.replace(/\*\*|`/g, "").replace(/\*(\S[^*]*)\*/g, "$1");
}

export interface LoggedFrame {
  /** ms since the start of the log. */
  readonly at: number;
  readonly from: "hub" | "node";
  /** The bytes as transmitted: escaped, with their delimiters. */
  readonly bytes: Uint8Array;
}

/** Number of frames to keep: no later verdict needs older ones. */
const KEPT = 2000;
/** Bytes to keep of one entry: the beginning is enough to recognise noise. */
const MOST_BYTES = 4200;

export class ConformFrameLog {
  readonly #clock: Clock;
  readonly #since: number;
  #frames: LoggedFrame[] = [];
  #dropped = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  /** Position of the next frame. */
  get end(): number {
    return this.#dropped + this.#frames.length;
  }

  add(from: "hub" | "node", bytes: Uint8Array): LoggedFrame {
    const frame = { at: this.#clock.monotonic() - this.#since, from, bytes: bytes.slice(0, MOST_BYTES) };
    this.#frames.push(frame);
    if (this.#frames.length > KEPT) {
      this.#frames = this.#frames.slice(KEPT / 2);
      this.#dropped += KEPT / 2;
    }
    return frame;
  }

  /** The frames since a position from {@link end}, at most the last `most`. */
  since(place: number, most = 12): readonly LoggedFrame[] {
    return this.#frames.slice(Math.max(0, place - this.#dropped)).slice(-most);
  }
}

/** Bytes in the notation of the protocol document: `C0 82 0B`; a long run is cut. */
export function hexOf(bytes: Uint8Array, most = 256): string {
  const shown = [...bytes.subarray(0, most)].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase());
  if (bytes.length > most) shown.push(`… ${bytes.length - most} more`);
  return shown.join(" ");
}
