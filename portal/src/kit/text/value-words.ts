/** Formats property values and the outcomes of writes, in the same words on every page. */
import { outcomeText } from "@porchlight/sdk";
import type { WriteFailure } from "@porchlight/shared/api";

export { booleanWords, valueWords, withUnit } from "@porchlight/shared/presentation";

/** The outcome of a write; undefined when the write never became a command. */
type Outcome = WriteFailure["outcome"] | "confirmed" | undefined;

/** Explains the outcome of an unconfirmed write and the next step. @param name of the error */
export function outcomeWords({ outcome, name }: { readonly outcome: Outcome; readonly name: string }): string {
  if (outcome === "confirmed") return "It was carried out after all.";
  // A write that never became a command fails again if repeated unchanged.
  if (outcome === undefined) return outcomeText("not_sent").meaning;
  if (name === "Expired") return "It was never sent to the device.";
  const { meaning, next } = outcomeText(outcome);
  return `${meaning} ${next}`;
}
