/** A course of events that takes long and is gone through once, by which several rules are judged: what is waited for is waited for once. */
import type { LoggedFrame } from "../../frame-log.ts";
import { Broken, NotApplicable } from "../../rule.ts";

/** What is found on the way. */
export class Findings {
  readonly #broken = new Map<string, Broken>();
  /** Why it ended early. */
  ended: unknown;

  /** Of several mistakes against one rule the first counts. */
  broken(rule: string, what: string, frames: readonly LoggedFrame[]): void {
    if (!this.#broken.has(rule)) this.#broken.set(rule, new Broken(what, frames));
  }

  /** Something that throws Broken when a rule is. */
  async judge(rule: string, look: () => Promise<void>): Promise<void> {
    try {
      await look();
    } catch (failure) {
      if (!(failure instanceof Broken)) throw failure;
      this.broken(rule, failure.message, failure.frames);
    }
  }

  of(rule: string): Broken | undefined {
    return this.#broken.get(rule);
  }
}

export class Course<Bench extends object> {
  readonly #go: (bench: Bench, findings: Findings) => Promise<void>;
  readonly #gone = new WeakMap<Bench, Promise<Findings>>();

  /** @param go goes through it, and says what is broken on the way */
  constructor(go: (bench: Bench, findings: Findings) => Promise<void>) {
    this.#go = go;
  }

  /** What one rule is, by it; the first that asks waits for all of it. @throws Broken, and what ended it early */
  async verdict(bench: Bench, rule: string): Promise<void> {
    const gone = this.#gone.get(bench) ?? this.#through(bench);
    this.#gone.set(bench, gone);
    const findings = await gone;
    const failure = findings.of(rule) ?? findings.ended;
    if (failure !== undefined) throw failure;
  }

  async #through(bench: Bench): Promise<Findings> {
    const findings = new Findings();
    try {
      await this.#go(bench, findings);
    } catch (failure) {
      findings.ended = failure instanceof Broken ? new NotApplicable(failure.message) : failure;
    }
    return findings;
  }
}
