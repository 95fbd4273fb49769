/**
 * Bodies: each must be present, an object, and JSON by the rules of the contract: no duplicate key, no number that a double would change,
 * no text that a store rejects. That costs two scans more than JSON.parse.
 */
import { isUtf8 } from "node:buffer";
import { MOST_ERRORS } from "../../api/index.ts";
import { endOfJsonString, type FieldProblem, NamedError } from "../../kernel/index.ts";
import { isStorable, mayBeUnstorable } from "../../model/index.ts";

/**
 * The body as an object.
 * @param raw undefined when there was no body
 * @throws "Body Parameters Missing", "Body Parameters Invalid"
 */
export function bodyObject(raw: unknown, optional = false): Record<string, unknown> {
  if (raw === undefined && !optional) throw new NamedError("Body Parameters Missing", "The JSON body is missing.");
  const given = raw === undefined ? {} : raw;
  if (!isRecord(given)) throw bodyInvalid([{ pointer: "", message: "must be a JSON object" }]);
  return given;
}

/** "Body Parameters Invalid" with every invalid place. */
export function bodyInvalid(errors: readonly FieldProblem[]): NamedError {
  const detail = errors
    .slice(0, MOST_ERRORS)
    .map(({ pointer, message }) => `\`${pointer || "the body"}\`: ${message}`)
    .join("; ");
  return new NamedError("Body Parameters Invalid", `${detail}.`, { errors });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Parses the bytes of a body.
 * @param mostValues limit of members and elements, for routes that need only a few
 * @throws "Body Parameters Missing", and the errors of {@link parseStrictJson}
 */
export function parseBody(bytes: Buffer, mostValues?: number): unknown {
  try {
    if (!isUtf8(bytes)) throw new SyntaxError("not UTF-8");
    return parseStrictJson(bytes, mostValues);
  } catch (cause) {
    if (cause instanceof NamedError) throw cause;
    throw new NamedError("Body Parameters Missing", "The body is not valid JSON.", { cause });
  }
}

/** The error for a body whose `content-type` is not JSON. */
export function wrongType(type: string | undefined): NamedError {
  const detail = type === undefined ? "The `content-type` is missing" : "The `content-type` is not JSON's";
  return new NamedError("Body Parameters Missing", `${detail}: it must be application/json.`);
}

/**
 * Larger and deeper than anything that is stored (metadata of 64 KiB and 32 levels, property values of 16 KiB). Code after this check
 * may recurse.
 */
const MOST: JsonLimits = { depth: 200, values: 10_000 };

/**
 * Matches every text with a number that a double may change: many digits in a row, or a long exponent. A large one is infinite once it
 * is parsed.
 */
const SUSPECT_NUMBER = /\d{16}|[eE]-\d{3}/;
/** Smallest magnitude of a number other than 0: below it a double keeps no digit. */
const LEAST = 1e-323;

/**
 * @param bytes UTF-8
 * @param mostValues for routes that need only a few: see {@link JsonLimits}
 * @throws SyntaxError when it is not JSON; "Body Parameters Invalid" (inside `meta` "Metadata Format Invalid") when it is JSON
 *   that cannot be stored, or has too many values
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
  const isFaulty = countKeys(value) !== members;
  const fault = isFaulty || mayBeUnstorable(text) || SUSPECT_NUMBER.test(text) ? faultIn(text) : undefined;
  if (fault) throw fault;
  if (isFaulty) throw named("", "cannot be kept");
  return value;
}

/** Number of keys of all objects in a value; NaN when a number in it is not finite. */
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

/** Finds the first fault in a JSON text. */
function faultIn(text: string): NamedError | undefined {
  const frames: Frame[] = [];
  let isKey = false;
  for (const [token] of text.matchAll(/"(?:[^"\\]+|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g)) {
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
      const key: string = JSON.parse(token);
      if (!isStorable(key)) return named(pointerTo(frames.slice(0, -1)), `has a key with ${NOT_STORABLE}`);
      frame.step = key;
      if (frame.seen.has(frame.step)) return named(pointerTo(frames), "stands twice");
      frame.seen.add(frame.step);
      isKey = false;
    } else {
      const fault = token.startsWith('"') ? textFault(token) : numberFault(token);
      if (fault) return named(pointerTo(frames), fault);
    }
  }
  return undefined;
}

const NOT_STORABLE = "U+0000 or a lone surrogate";

function textFault(token: string): string | undefined {
  return mayBeUnstorable(token) && !isStorable(JSON.parse(token)) ? `has ${NOT_STORABLE}` : undefined;
}

/** Why a double would change the number: a client must read back what it wrote. Digits of a fraction are rounded. */
function numberFault(token: string): string | undefined {
  if (!/^[-\d]/.test(token)) return undefined;
  const number = Number(token);
  if (!Number.isFinite(number)) return "is a number larger than any double";
  if (Math.abs(number) < LEAST && /^-?[\d.]*[1-9]/.test(token)) return `is a number nearer to 0 than ${LEAST}`;
  const [, digits] = /^-?(\d{16,})(?:\.0+)?$/.exec(token) ?? [];
  return digits !== undefined && digits !== digitsOf(number) ? "is an integer that a double changes" : undefined;
}

/** Digits of a large integer, as the service would write them. */
function digitsOf(number: number): string {
  const [mantissa = "", exponent] = Math.abs(number).toExponential().split("e");
  return mantissa.replace(".", "").padEnd(Number(exponent) + 1, "0");
}

function pointerTo(frames: readonly Frame[]): string {
  return pointerOf(frames.map(({ step }) => step));
}

/** A JSON pointer (RFC 6901). */
export function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The error of the field when it has its own, else "Body Parameters Invalid". */
function named(pointer: string, message: string): NamedError {
  const name =
    pointer === "/alias"
      ? "Alias Invalid"
      : /^\/meta(\/|$)/.test(pointer)
        ? "Metadata Format Invalid"
        : "Body Parameters Invalid";
  return new NamedError(name, `\`${pointer}\` ${message}.`, { errors: [{ pointer, message }] });
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_OBJECT = 123;
const OPEN_ARRAY = 91;
const CLOSE_OBJECT = 125;
const CLOSE_ARRAY = 93;

interface JsonLimits {
  /** Deepest nesting, levels. */
  readonly depth: number;
  /** Maximum number of values: members and elements, and one for each object or array. */
  readonly values: number;
}

interface JsonMeasure {
  /** Number of members of all objects. */
  readonly members: number;
  /** The limit that was exceeded; the rest of the text was not scanned. */
  readonly past: keyof JsonLimits | undefined;
  /** Position of the outermost object's key whose value exceeded the limit, quotes included; empty when there is none. */
  readonly key: readonly [start: number, end: number];
}

/**
 * Measures a JSON text before it is parsed, so that a small body cannot become many objects. Nesting in tunnel messages has its own
 * loop in the kernel, because one loop for both would slow down every message.
 * @param text may be invalid JSON: it is measured too, and fails when it is parsed
 */
function measureJson(text: string, limits: JsonLimits): JsonMeasure {
  let [members, values, depth] = [0, 1, 0];
  let string: JsonMeasure["key"] = [0, 0];
  let key = string;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfJsonString(text, at);
        if (depth === 1) string = [at, end + 1];
        at = end;
        break;
      }
      case COLON:
        members += 1;
        if (depth === 1) key = string;
        break;
      case COMMA:
        values += 1;
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        values += 1;
        if (++depth > limits.depth) return { members, past: "depth", key };
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        depth -= 1;
        break;
    }
    if (values > limits.values) return { members, past: "values", key };
  }
  return { members, past: undefined, key };
}
