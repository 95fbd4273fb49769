/** JSON as the contract takes it: no key twice, no number past a double. Costs one scan more than JSON.parse. */
import { NamedError } from "../../kernel/index.ts";
import { type JsonLimits, measureJson } from "./json-measure.ts";

/** Nothing that is kept is as deep or as much: metadata of 64 KiB and 32 levels, property values of 16 KiB. What follows may recurse. */
const MOST: JsonLimits = { depth: 200, values: 10_000 };

/**
 * @param bytes UTF-8
 * @param mostValues where a few are enough: see {@link JsonLimits}
 * @throws SyntaxError when it is no JSON; "Body Parameters Invalid" (inside `meta` "Metadata Format Invalid") when it is JSON
 *   that cannot be kept, or too much of it
 */
export function parseStrictJson(bytes: Buffer, mostValues = MOST.values): unknown {
  const text = bytes.toString();
  const { members, past, key } = measureJson(text, { ...MOST, values: mostValues });
  if (past) {
    const within = text.slice(...key) === '"meta"' ? "/meta" : "";
    const message =
      past === "depth" ? `is nested deeper than ${MOST.depth} levels` : `has more than ${mostValues} values`;
    throw named(within, message);
  }
  const value: unknown = JSON.parse(text);
  // JSON.parse keeps one of two equal keys: then there are fewer keys than members.
  if (countKeys(value) !== members) throw refusal(text);
  return value;
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
  const pointer = () => pointerOf(frames.map(({ step }) => step));
  let isKey = false;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g)) {
    const frame = frames.at(-1);
    if (token === "{" || token === "[") {
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

/** A JSON pointer (RFC 6901). */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function named(pointer: string, message: string): NamedError {
  const name = /^\/meta(\/|$)/.test(pointer) ? "Metadata Format Invalid" : "Body Parameters Invalid";
  return new NamedError(name, `\`${pointer}\` ${message}.`, { errors: [{ pointer, message }] });
}
