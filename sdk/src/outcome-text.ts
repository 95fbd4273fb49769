/** Explains the outcome of an unconfirmed command to users (A4.3): one word for each, and the next step. */
import type { Command } from "@porchlight/shared/api";

export type FailureOutcome = Exclude<NonNullable<Command["outcome"]>, "confirmed">;

export interface OutcomeText {
  /** `unknown: may have happened` */
  readonly word: string;
  /** Meaning, in a sentence. */
  readonly meaning: string;
  /** What the caller can do, in a sentence. */
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
 * @param outcome undefined when no command was created and nothing was sent. An outcome of a newer service that the table does not have
 * is its own word.
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
