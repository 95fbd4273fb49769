/** All mutants, and of each rule that has none the reason: what the line does not show, and what would show it. */

import { UNPROVED_OF_HUBS } from "../../src/lab/conform/hub/prove-hub.ts";
import { UNPROVED } from "../../src/lab/conform/prove-node.ts";
import { BEHAVIOUR_MUTANTS } from "./board-behaviour.ts";
import { FRAME_MUTANTS } from "./board-frames.ts";
import { MESSAGE_MUTANTS } from "./board-messages.ts";
import { REPORT_MUTANTS } from "./board-reports.ts";
import { HUB_BEHAVIOUR_MUTANTS } from "./hub-behaviour.ts";
import { HUB_FRAME_MUTANTS } from "./hub-frames.ts";
import { HUB_MESSAGE_MUTANTS } from "./hub-messages.ts";
import type { BoardMutant, HubMutant } from "./mutant.ts";

export const BOARD_MUTANTS: readonly BoardMutant[] = [
  ...FRAME_MUTANTS,
  ...MESSAGE_MUTANTS,
  ...BEHAVIOUR_MUTANTS,
  ...REPORT_MUTANTS,
];
export const HUB_MUTANTS: readonly HubMutant[] = [
  ...HUB_FRAME_MUTANTS,
  ...HUB_MESSAGE_MUTANTS,
  ...HUB_BEHAVIOUR_MUTANTS,
];

const NETWORK = "Not provable without a network connection: the harness has a serial line.";

/** Why a rule has no mutant of the C code. */
export const NO_BOARD_MUTANT: Readonly<Record<string, string>> = {
  ...UNPROVED,
  L5: NETWORK,
  L6: NETWORK,
  B1: "It binds hubs. Of a node it is asked whether it takes as many requests as it states, and the harness states one (`window-and-steps.test.ts` has a window of four).",
};

/** Why a rule has no mutant of the agent's driver. */
export const NO_HUB_MUTANT: Readonly<Record<string, string>> = UNPROVED_OF_HUBS;

/** The rules with neither two mutants nor a reason. */
export function uncovered(
  rules: Iterable<string>,
  mutants: readonly (readonly [rule: string, ...unknown[]])[],
  reasons: Readonly<Record<string, string>>,
): string[] {
  const enough = (rule: string) => mutants.filter(([broken]) => broken === rule).length >= 2;
  return [...rules].filter((rule) => !enough(rule) && reasons[rule] === undefined);
}
