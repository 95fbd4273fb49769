/** Values of properties, and what became of a write, in words: the same wherever they stand. */
import { outcomeText } from "@porchlight/sdk";
import type { WriteFailure } from "@porchlight/shared/api";

export { booleanWords, valueWords, withUnit } from "@porchlight/shared/presentation";

/** How a write ended; undefined of one that never became a command. */
type Outcome = WriteFailure["outcome"] | "confirmed" | undefined;

/** What became of a write that was not confirmed, and what to do next. @param name of the error */
export function outcomeWords({ outcome, name }: { readonly outcome: Outcome; readonly name: string }): string {
  if (outcome === "confirmed") return "It was carried out after all.";
  // What was never a command is no use to repeat as it is.
  if (outcome === undefined) return outcomeText("not_sent").meaning;
  if (name === "Expired") return "It was never sent to the device.";
  const { meaning, next } = outcomeText(outcome);
  return `${meaning} ${next}`;
}
