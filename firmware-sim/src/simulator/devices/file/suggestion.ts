/** What is said about a word that is not known. */
import { closestKey } from "@porchlight/shared/settings";

/** A sentence about a wrong word, with the known one that was probably meant when there is one near enough. */
export function unknownWord(what: string, wrong: string, known: readonly string[]): string {
  const near = closestKey(wrong, known);
  return near === undefined
    ? `${what} "${wrong}" is not known; known are ${known.join(", ")}`
    : `${what} "${wrong}" is not known: did you mean "${near}"?`;
}
