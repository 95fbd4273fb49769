/** JSON as the contract takes it: no key twice, no number past a double. Costs one scan more than JSON.parse. */
import { NamedError } from "../kernel/index.ts";

const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_OBJECT = 123;
const OPEN_ARRAY = 91;
const CLOSE_OBJECT = 125;
const CLOSE_ARRAY = 93;
/** Deepest body, levels: nothing is as deep, and what follows may recurse. */
const MAX_DEPTH = 200;

/**
 * @throws SyntaxError when it is no JSON; "Body Parameters Invalid" (inside `meta` "Metadata Format Invalid") when it is JSON
 *   that cannot be kept
 */
export function parseStrictJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const members = countMembers(text);
  // JSON.parse keeps one of two equal keys: then there are fewer keys than members.
  if (members < 0 || countKeys(value) !== members) throw refusal(text);
  return value;
}

/** Members of all objects in a JSON text; -1 when it is too deep. */
function countMembers(text: string): number {
  let members = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case COLON:
        members += 1;
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (++depth > MAX_DEPTH) return -1;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        depth -= 1;
        break;
    }
  }
  return members;
}

/** Where the string that begins at `at` has its closing quote. */
function endOfString(text: string, at: number): number {
  for (let end = at + 1; ; end++) {
    const code = text.charCodeAt(end);
    if (code === BACKSLASH) end += 1;
    else if (code === QUOTE) return end;
  }
}

/** Keys of all objects in a value; NaN when a number in it is not finite. */
function countKeys(value: unknown): number {
  if (typeof value === "number") return Number.isFinite(value) ? 0 : Number.NaN;
  if (typeof value !== "object" || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += countKeys(item);
    return keys;
  }
  for (const item of Object.values(value)) keys += 1 + countKeys(item);
  return keys;
}

interface Frame {
  /** Undefined in an array. */
  readonly seen: Set<string> | undefined;
  step: string;
  index: number;
}

/** Finds the first fault of a JSON text in which there is one. */
function refusal(text: string): NamedError {
  const frames: Frame[] = [];
  const pointer = () => frames.map(({ step }) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  let isKey = false;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g)) {
    const frame = frames.at(-1);
    if (token === "{" || token === "[") {
      if (frames.length >= MAX_DEPTH) return named(pointer(), `is nested deeper than ${MAX_DEPTH} levels`);
      frames.push({ seen: token === "{" ? new Set() : undefined, step: token === "{" ? "" : "0", index: 0 });
      isKey = token === "{";
    } else if (token === "}" || token === "]") {
      frames.pop();
      isKey = false;
    } else if (token === ",") {
      isKey = frame?.seen !== undefined;
      if (frame && !frame.seen) frame.step = String(++frame.index);
    } else if (isKey && frame?.seen && token !== ":") {
      frame.step = JSON.parse(token);
      if (frame.seen.has(frame.step)) return named(pointer(), "stands twice");
      frame.seen.add(frame.step);
      isKey = false;
    } else if (/^[-\d]/.test(token) && !Number.isFinite(Number(token))) {
      return named(pointer(), "is a number larger than any double");
    }
  }
  return named("", "cannot be kept");
}

function named(pointer: string, message: string): NamedError {
  const name = /^\/meta(\/|$)/.test(pointer) ? "Metadata Format Invalid" : "Body Parameters Invalid";
  return new NamedError(name, `\`${pointer}\` ${message}.`, { errors: [{ pointer, message }] });
}
