/** What the outcome of a command that was not confirmed means to a person (A4.3): one word for each, and what to do next. */
import type { Command } from "@porchlight/shared/api";

export type FailureOutcome = Exclude<NonNullable<Command["outcome"]>, "confirmed">;

export interface OutcomeText {
  /** `unknown: may have happened` */
  readonly word: string;
  /** A sentence. */
  readonly meaning: string;
  /** A sentence: what the caller can do. */
  readonly next: string;
}

const OUTCOME_TEXTS: Readonly<Record<FailureOutcome, OutcomeText>> = {
  not_sent: { word: "not sent", meaning: "Nothing was sent to the device.", next: "It is safe to repeat." },
  not_applied: { word: "not applied", meaning: "The device did not act on it.", next: "It is safe to repeat." },
  rejected: {
    word: "rejected by the device",
    meaning: "The device is as it was.",
    next: "Change the value before you repeat it.",
  },
  unknown: {
    word: "unknown: may have happened",
    meaning: "The device may have acted on it.",
    next: "Read the value before you repeat it.",
  },
};

/** @param outcome undefined of what never became a command: nothing was sent */
export function outcomeText(outcome: FailureOutcome | undefined): OutcomeText {
  return OUTCOME_TEXTS[outcome ?? "not_sent"];
}
