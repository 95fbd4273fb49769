/**
 * Parses JSON as firmware writes it. A bare `NaN`, `Infinity` or `nan`, which JSON does not have, costs its own member only: it is read as
 * `null`, and the rest of the message is read. Pure, and linear in the length of the text.
 */
import { nestsDeeper } from "@porchlight/shared/kernel";
import { MAX_VALUE_DEPTH } from "@porchlight/shared/model";

/** A string, which is left as it is, or a bare word that stands for a number that there is none of. */
const STRING_OR_BARE = /"(?:[^"\\]|\\.)*"|[+-]?\b(?:nan|inf(?:inity)?)\b/gi;

/** @throws SyntaxError as JSON.parse does, and for what is nested deeper than any value: that takes JSON.parse very long */
export function parseRawJson(text: string): unknown {
  if (nestsDeeper(text, MAX_VALUE_DEPTH)) throw new SyntaxError("The text is nested too deep.");
  try {
    return JSON.parse(text);
  } catch (failure) {
    const mended = text.replace(STRING_OR_BARE, (found) => (found.startsWith('"') ? found : "null"));
    if (mended === text) throw failure;
    return JSON.parse(mended);
  }
}
