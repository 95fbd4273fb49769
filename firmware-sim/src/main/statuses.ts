/** The statuses with which the commands end. `docs/firmware.md` and `docs/firmware-lab.md` list them. */
import { OpenProblem, type OpenProblemKind } from "../simulator/links/open-problem.ts";
import { UsageError } from "./usage.ts";

/** It was as it must be. */
export const OK = 0;
/** It failed, differed, broke a rule, or there is a finding. */
export const FAILED = 1;
/** The command line, or a file that it names, has a mistake. */
export const WRONG_USAGE = 2;
/** `conform`: no rule could be judged, or not all that were asked for. */
export const NOTHING_PROVED = 3;
/** Nothing came, or it came too late. */
export const TIMED_OUT = 42;
/** Somebody ended it before its time. */
export const INTERRUPTED = 130;

const OPEN: Readonly<Record<OpenProblemKind, number>> = { no_port: 4, locked: 5, no_connection: 6, wrong_key: 7 };

/** Of a command that threw. */
export function statusOf(failure: unknown): number {
  if (failure instanceof OpenProblem) return OPEN[failure.kind];
  return failure instanceof UsageError ? WRONG_USAGE : FAILED;
}

/** What the help of `conform` says of them. */
export const CONFORM_STATUSES =
  "Status: 0 no rule is broken, 1 a rule is broken, 2 wrong usage, 3 nothing was proved, 4 no such port, 5 another program uses the port,\n6 no connection, 7 wrong key, 42 nothing was received.";
