/**
 * Parses JSON as firmware writes it. Invalid JSON in the place of a value, such as a bare `NaN`, `None` or `21.5 °C`, or nothing at all,
 * costs only its own member: it is read as `null`, and the rest of the message is read. Numbers and booleans in another spelling keep
 * their values: `+21.5`, `.5`, `True`. Pure, and linear in the length of the text.
 */
import { endOfJsonString, nestsDeeper } from "@porchlight/shared/kernel";
import { MAX_VALUE_DEPTH } from "@porchlight/shared/model";
import { numberIn } from "./raw-values.ts";

/** A string, up to its end; a comma before an end; a member without a value; a bare word or number. */
const PARTS = /"|,(?=\s*[}\]])|:(?=\s*[,}])|[^\s"{}[\],:](?:[^"{}[\],:]*[^\s"{}[\],:])?/g;
/** An object or a list, or a bare word that stands for a missing number. */
const MENDED = /^\s*(?:[{[]|[+-]?(?:nan|inf(?:inity)?)\s*$)/i;
/** Number of characters that are mended before the loop may turn, and number of characters in one step. */
const SLICE = 16 * 1024;
const CHARACTERS_OF_STEP = 50;

/** @throws SyntaxError as JSON.parse does, and for JSON that is nested deeper than any value, which takes JSON.parse very long */
export function parseRawJson(text: string): unknown {
  if (nestsDeeper(text, MAX_VALUE_DEPTH)) throw new SyntaxError("The text is nested too deep.");
  try {
    return JSON.parse(text);
  } catch (failure) {
    if (!isMendable(text)) throw failure;
    const mending = mendedJson(text);
    let step = mending.next();
    while (!step.done) step = mending.next();
    return JSON.parse(step.value);
  }
}

/** Whether a text that is no JSON is mended by `mendedJson`. */
export function isMendable(text: string): boolean {
  return MENDED.test(text);
}

/** The text with valid JSON in the place of invalid values, made in slices: each yield returns the steps of its slice, as `Work` does. */
export function* mendedJson(text: string): Generator<number, string, undefined> {
  const pattern = new RegExp(PARTS);
  let whole = "";
  let pieces: string[] = [];
  let [copied, sliced] = [0, 0];
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [part] = found;
    if (part === '"') pattern.lastIndex = endOfJsonString(text, found.index, text.length) + 1;
    else {
      const json = mended(part);
      if (json !== part) {
        pieces.push(text.slice(copied, found.index), json);
        copied = pattern.lastIndex;
      }
    }
    const length = pattern.lastIndex - sliced;
    if (length < SLICE) continue;
    whole += pieces.join("");
    pieces = [];
    sliced = pattern.lastIndex;
    yield length / CHARACTERS_OF_STEP;
  }
  return whole + pieces.join("") + text.slice(copied);
}

function mended(part: string): string {
  if (part === ",") return "";
  if (part === ":") return ":null";
  const word = part.toLowerCase();
  if (word === "true" || word === "false") return word;
  const number = numberIn(part);
  return number === undefined ? "null" : JSON.stringify(number);
}

/** @returns undefined when there is nothing at that path */
export function at(json: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) => (isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    json,
  );
}

export function isRecord(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
