/** Runs rules one after another on a bench and collects their results. It depends on neither nodes nor hubs. */
import type { Clock } from "@porchlight/shared/kernel";
import {
  Broken,
  type Follower,
  LEFT_OUT,
  NotApplicable,
  type Result,
  type Rule,
  type RuleReport,
  Unreachable,
  type Verdict,
  type Violation,
} from "./rule.ts";

/** The part of a bench that nodes and hubs share. */
export interface Provable {
  readonly clock: Clock;
  /** Returns the violations of any rule that were observed since the last call. */
  takeViolations(): readonly Violation[];
  /** Restores the initial state before the next rule. @throws Unreachable */
  tidy(): Promise<void>;
  /** Runs the rules that can run while another one waits. */
  meanwhile: () => Promise<void>;
}

export interface RunOptions extends Follower {
  /** The sentence of each number. */
  readonly texts: ReadonlyMap<string, string>;
  /** Numbers to prove; all when omitted. */
  readonly only?: readonly string[] | undefined;
  /** Skips rules that take long. */
  readonly quick?: boolean | undefined;
  /** Why no rule can be tried at all. */
  readonly lost?: Unreachable | undefined;
  /** Why a number has no rule. */
  readonly unproved: Readonly<Record<string, string>>;
}

/** Runs the rules and returns one result for each number of the document, in its order. Never throws because of the other side. */
export async function runRules<B extends Provable>(
  rules: readonly Rule<B>[],
  bench: B,
  options: RunOptions,
): Promise<Pick<RuleReport, "results" | "stopped">> {
  const results = new Map<string, Result>();
  const unasked: Violation[] = [];
  let lost = options.lost?.message;
  if (options.lost?.rule !== undefined)
    unasked.push({ rule: options.lost.rule, what: options.lost.message, frames: [] });
  const add = (id: string, looksAt: string, verdict: Verdict, ms: number) => {
    const result = { id, sentence: options.texts.get(id) ?? "", looksAt, verdict, ms };
    results.set(id, result);
    options.onResult?.(result);
  };
  const tried = rules.filter(({ id }) => options.only?.includes(id) ?? true);
  const begun = new Set<Rule<B>>();
  const begin = (rule: Rule<B>) => {
    const { id, looksAt, takes } = rule;
    options.onBegin?.({ id, looksAt, takes, number: [...begun].indexOf(rule) + 1, of: tried.length });
  };
  const go = async (rule: Rule<B>) => {
    begun.add(rule);
    if (lost === undefined) begin(rule);
    const from = bench.clock.monotonic();
    const proved = lost === undefined ? await prove(rule, bench, options) : notRun(lost);
    const gone = proved instanceof Unreachable ? proved : lost === undefined ? await tidy(bench) : undefined;
    unasked.push(...bench.takeViolations());
    if (gone) {
      lost = `at ${rule.id} the other side stopped answering`;
      const isAsked = gone.rule !== undefined && (options.only?.includes(gone.rule) ?? true);
      unasked.push({ rule: isAsked && gone.rule !== undefined ? gone.rule : rule.id, what: gone.message, frames: [] });
    }
    const verdict = proved instanceof Unreachable ? notRun(proved.message) : proved;
    add(rule.id, rule.looksAt, verdict, bench.clock.monotonic() - from);
  };
  for (const rule of tried) {
    if (begun.has(rule)) continue;
    bench.meanwhile = async () => {
      for (const each of tried) if (each.runsBeside === true && !begun.has(each)) await go(each);
      begin(rule);
    };
    await go(rule);
  }
  unasked.push(...bench.takeViolations());
  for (const violation of unasked) {
    if (options.only && !options.only.includes(violation.rule)) continue;
    const known = results.get(violation.rule);
    const base = { id: violation.rule, sentence: options.texts.get(violation.rule) ?? "", looksAt: "", ms: 0 };
    results.set(violation.rule, { ...base, ...known, verdict: failed(known?.verdict, violation) });
  }
  for (const [id, reason] of Object.entries(options.unproved))
    if (!options.only && !results.has(id)) add(id, "", { kind: "not_applicable", reason }, 0);
  const places = [...options.texts.keys()];
  return { results: [...results.values()].sort((a, b) => places.indexOf(a.id) - places.indexOf(b.id)), stopped: lost };
}

async function prove<B>(rule: Rule<B>, bench: B, { quick }: RunOptions): Promise<Verdict | Unreachable> {
  const reason = rule.applies?.(bench);
  if (reason !== undefined) return { kind: "not_applicable", reason };
  if (quick && rule.takes !== undefined) return notRun(`${LEFT_OUT}: it takes ${rule.takes}`);
  try {
    return { kind: "pass", note: await rule.run(bench) };
  } catch (failure) {
    if (failure instanceof NotApplicable) return { kind: "not_applicable", reason: failure.message };
    if (failure instanceof Broken)
      return failed(undefined, { rule: rule.id, what: failure.message, frames: failure.frames });
    if (failure instanceof Unreachable) return failure;
    throw failure;
  }
}

/** Why the initial state could not be restored; undefined when it could. */
async function tidy(bench: Provable): Promise<Unreachable | undefined> {
  try {
    await bench.tidy();
    return undefined;
  } catch (failure) {
    if (failure instanceof Unreachable) return failure;
    throw failure;
  }
}

/** A verdict with a further violation, unless it already has the same one. */
function failed(verdict: Verdict | undefined, violation: Violation): Verdict {
  const known = verdict?.kind === "fail" ? verdict.violations : [];
  const isKnown = known.some(({ what }) => what === violation.what);
  return { kind: "fail", violations: isKnown || known.length >= MOST ? known : [...known, violation] };
}

/** Maximum number of violations to report for one rule. */
const MOST = 5;

function notRun(reason: string): Verdict {
  return { kind: "not_run", reason };
}
