/** Plays a scenario on running devices, step by step, and stops at the first that fails. */
import { addressKey, type Value } from "@porchlight/shared/model";
import { obey } from "../control.ts";
import type { Simulator } from "../simulator.ts";
import { type Action, holds, type ScenarioStep, type Subject } from "./scenario.ts";
import type { Stage } from "./stage.ts";

export interface Played {
  readonly step: ScenarioStep;
  /** ms since the scenario began, on the clock of devices' lives, when the step was done. */
  readonly at: number;
  readonly outcome: ScenarioOutcome;
}

export type ScenarioOutcome =
  | { readonly kind: "ok" }
  | { readonly kind: "failed"; readonly why: string }
  /** What was expected has not come about. */
  | { readonly kind: "timed_out"; readonly why: string };

/** @param onPlayed told of each step when it is done @returns how the last step that was played came out */
export async function playScenario(
  steps: readonly ScenarioStep[],
  simulator: Simulator,
  stage: Stage,
  onPlayed: (played: Played) => void,
): Promise<ScenarioOutcome> {
  for (const step of steps) {
    const outcome = await play(step.action, simulator, stage);
    onPlayed({ step, at: stage.elapsed, outcome });
    if (outcome.kind !== "ok") return outcome;
  }
  return { kind: "ok" };
}

async function play(action: Action, simulator: Simulator, stage: Stage): Promise<ScenarioOutcome> {
  switch (action.do) {
    case "wait":
      await stage.pass(action.ms);
      return { kind: "ok" };
    case "command": {
      const answer = await obey(simulator, action.line);
      return answer.ok === true ? { kind: "ok" } : { kind: "failed", why: String(answer.detail) };
    }
    case "check":
      return check(action, simulator, stage);
  }
}

async function check(
  { subject, comparison, value, within }: Action & { do: "check" },
  simulator: Simulator,
  stage: Stage,
): Promise<ScenarioOutcome> {
  const isSo = () => holds(seen(subject, simulator), comparison, value);
  if (within === undefined ? isSo() : await stage.comesTrue(isSo, within)) return { kind: "ok" };
  const why = `${nameOf(subject)} is ${JSON.stringify(seen(subject, simulator))}`;
  return { kind: within === undefined ? "failed" : "timed_out", why };
}

function seen(subject: Subject, simulator: Simulator): Value {
  if (subject.of === "property") return simulator.device(subject.device).read(subject.address);
  return simulator.find(subject.node).node[subject.what];
}

function nameOf(subject: Subject): string {
  return subject.of === "property" ? addressKey(subject.address) : subject.what;
}
