/**
 * Parses JSON as firmware writes it. What is no JSON where a value stands, such as a bare `NaN`, `None` or `21.5 °C`, or nothing at all, costs
 * its own member only: it is read as `null`, and the rest of the message is read. Numbers and booleans in another spelling are what they
 * are: `+21.5`, `.5`, `True`. Pure, and linear in the length of the text.
 */
import { numberIn } from "./raw-values.ts";

/** A string, also one without an end, which is left as it is; a comma before an end; a member without a value; a bare word or number. */
const PARTS = /"(?:[^"\\]|\\.)*"?|,(?=\s*[}\]])|:(?=\s*[,}])|[^\s"{}[\],:](?:[^"{}[\],:]*[^\s"{}[\],:])?/g;
/** An object or a list; or a bare word that stands for a number that there is none of. */
const MENDED = /^\s*(?:[{[]|[+-]?(?:nan|inf(?:inity)?)\s*$)/i;

/** @throws SyntaxError as JSON.parse does */
export function parseRawJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (failure) {
    if (!MENDED.test(text)) throw failure;
    return JSON.parse(text.replace(PARTS, mended));
  }
}

function mended(found: string): string {
  if (found.startsWith('"')) return found;
  if (found === ",") return "";
  if (found === ":") return ":null";
  const word = found.toLowerCase();
  if (word === "true" || word === "false") return word;
  const number = numberIn(found);
  return number === undefined ? "null" : JSON.stringify(number);
}
