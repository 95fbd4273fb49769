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

const OUTCOME_TEXTS: Readonly<Record<string, OutcomeText>> = {
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
} satisfies Readonly<Record<FailureOutcome, OutcomeText>>;

/**
 * @param outcome undefined of what never became a command: nothing was sent. A service that is newer than this client can send an outcome
 * that is not in the list: its word is the service's own.
 */
export function outcomeText(outcome: FailureOutcome | undefined): OutcomeText {
  const word: string = outcome ?? "not_sent";
  const known = Object.hasOwn(OUTCOME_TEXTS, word) ? OUTCOME_TEXTS[word] : undefined;
  return (
    known ?? {
      word,
      meaning: "This version does not know that outcome: the device may have acted on it.",
      next: "Read the value before you repeat it.",
    }
  );
}
