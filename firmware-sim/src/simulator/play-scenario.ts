/** Plays a scenario on running devices, step by step, and stops at the first failure. */

import { type Clock, sleep, type VirtualClock } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value } from "@porchlight/shared/model";
import { obey } from "./control.ts";
import type { Simulator } from "./simulator.ts";

export interface Played {
  readonly step: ScenarioStep;
  /** Time at which the step was done, ms since the start of the scenario on the clock of the devices' lives. */
  readonly at: number;
  readonly outcome: ScenarioOutcome;
}

export type ScenarioOutcome =
  | { readonly kind: "ok" }
  | { readonly kind: "failed"; readonly why: string }
  /** The expected state was not reached in time. */
  | { readonly kind: "timed_out"; readonly why: string };

/** @param onPlayed called with each step when it is done @returns the result of the last played step */
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

/** The subject of a step's expectation: a property of a device, or the state of a node towards its hub. */
export type Subject =
  | { readonly of: "property"; readonly device: string; readonly address: PropertyAddress }
  /** `state` is unplugged, greeting or live; `untold` is the number of reports that no hub has acknowledged. */
  | { readonly of: "node"; readonly node: string; readonly what: "state" | "untold" };

export type Comparison = "=" | "!=" | "<" | "<=" | ">" | ">=";

export type Action =
  /** A control line of the simulator. */
  | { readonly do: "command"; readonly line: string }
  | { readonly do: "wait"; readonly ms: number }
  /** The expectation holds now, or must hold within the time. */
  | {
      readonly do: "check";
      readonly subject: Subject;
      readonly comparison: Comparison;
      readonly value: Value;
      /** ms; undefined: now. */
      readonly within: number | undefined;
    };

export interface ScenarioStep {
  /** The step in the words of the file: `expect light Switch.on true within 5s`. */
  readonly text: string;
  /** Line number in the file, from 1. */
  readonly line: number;
  readonly action: Action;
}

/** Whether a value satisfies a step's comparison. */
export function holds(is: Value, comparison: Comparison, value: Value): boolean {
  const same = JSON.stringify(is) === JSON.stringify(value);
  if (comparison === "=") return same;
  if (comparison === "!=") return !same;
  if (typeof is !== "number" || typeof value !== "number") return false;
  switch (comparison) {
    case "<":
      return is < value;
    case "<=":
      return is <= value;
    case ">":
      return is > value;
    case ">=":
      return is >= value;
  }
}

/** How time passes during a scenario: in real time with a hub on the line, or instantly, without one. */
interface Stage {
  /** ms since the start of the scenario, on the clock of the devices' lives. */
  readonly elapsed: number;
  pass(ms: number): Promise<void>;
  /** Whether the condition holds now, or becomes true within `ms`. */
  comesTrue(isSo: () => boolean, ms: number): Promise<boolean>;
}

/** Interval between two checks of a condition, real ms. */
const LOOK_MS = 10;
/** Minimum interval between two checks of a condition, ms; real time in a live stage. */
const LOOKS = 1000;

/** Maximum number of checks in one wait of a fast stage, however long the wait is: each check has a cost. */
export function liveStage(life: Clock, real: Clock): Stage {
  const from = life.monotonic();
  return {
    get elapsed() {
      return life.monotonic() - from;
    },
    pass: (ms) => sleep(life, "scenario", ms),
    comesTrue: async (isSo, ms) => {
      const end = life.monotonic() + ms;
      while (!isSo()) {
        if (life.monotonic() >= end) return false;
        await sleep(real, "scenario", LOOK_MS);
      }
      return true;
    },
  };
}

/** Time that advances as soon as no work is left. */
export function fastStage(clock: VirtualClock): Stage {
  const from = clock.monotonic();
  return {
    get elapsed() {
      return clock.monotonic() - from;
    },
    pass: (ms) => clock.advance(ms),
    comesTrue: async (isSo, ms) => {
      const end = clock.monotonic() + ms;
      while (!isSo()) {
        const left = end - clock.monotonic();
        if (left <= 0) return false;
        await clock.advance(Math.min(left, Math.max(LOOK_MS, ms / LOOKS)));
      }
      return true;
    },
  };
}
