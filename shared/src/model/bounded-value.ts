/**
 * The limits of a property value's size and depth. Its own file because it is the first check of a value from outside: it does not
 * recurse and stops at the limit, so that the limit bounds its cost for inputs of any size.
 */

/** Largest value, bytes of its JSON. */
export const MAX_VALUE_BYTES = 16 * 1024;

/** Maximum nesting of arrays and objects, equal to that of a request body: code after this check may recurse. */
export const MAX_VALUE_DEPTH = 200;

/**
 * `bad_text`: a key or text in it is not storable. `not_json`: there is no value, or JSON cannot express it, such as a number beyond
 * any double.
 */
export type ValueBreach = "too_large" | "too_deep" | "bad_text" | "not_json";

/** The bound that a value breaks; undefined when it breaks none. */
export function valueBreach(value: unknown): ValueBreach | undefined {
  // Fast path: most values are booleans or numbers.
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return undefined;
  let left = MAX_VALUE_BYTES;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const inner: unknown[] = [];
    for (const part of level) {
      if (typeof part === "object" && part !== null) {
        if (depth === MAX_VALUE_DEPTH) return "too_deep";
        const bytes = Array.isArray(part) ? openArray(part, left, inner) : openObject(part, left, inner);
        if (bytes === undefined) return "bad_text";
        left -= bytes;
      } else {
        if (typeof part === "string" && isBad(part, left)) return "bad_text";
        const bytes = scalarBytes(part, left);
        if (bytes === undefined) return "not_json";
        left -= bytes;
      }
      if (left < 0) return "too_large";
    }
    level = inner;
  }
  return undefined;
}

/** Bytes of the brackets and commas; appends the elements to `inner` while the array may still fit. */
function openArray(array: readonly unknown[], left: number, inner: unknown[]): number {
  const bytes = 2 + Math.max(0, array.length - 1);
  if (bytes + array.length <= left) for (const part of array) inner.push(part);
  // An element takes at least one byte.
  return bytes + array.length <= left ? bytes : left + 1;
}

/** Like {@link openArray}, with the keys; undefined when a key is not storable. */
function openObject(object: object, left: number, inner: unknown[]): number | undefined {
  let bytes = 1;
  for (const [key, part] of members(object)) {
    if (isBad(key, left)) return undefined;
    // Plus the colon, and the comma or the closing brace.
    bytes += textBytes(key, left) + 2;
    if (bytes > left) return bytes;
    inner.push(part);
  }
  return Math.max(2, bytes);
}

function* members(object: object): Iterable<[string, unknown]> {
  for (const key in object) if (Object.hasOwn(object, key)) yield [key, Reflect.get(object, key)];
}

/** Whether a text is not storable; a text that exceeds `left` is not scanned. */
function isBad(text: string, left: number): boolean {
  return text.length <= left && !isStorable(text);
}

/** Bytes of a scalar; undefined when it is not JSON. */
function scalarBytes(value: unknown, left: number): number | undefined {
  switch (typeof value) {
    case "string":
      return textBytes(value, left);
    case "number":
      return Number.isFinite(value) ? String(value).length : undefined;
    case "boolean":
      return value ? 4 : 5;
    default:
      return value === null ? 4 : undefined;
  }
}

/** Bytes of a text with its quotes; when it exceeds `left`, any number above `left`. */
function textBytes(text: string, left: number): number {
  return text.length > left ? text.length : Buffer.byteLength(JSON.stringify(text));
}

/**
 * A JSON escape that can stand for unstorable text (U+0000 or a lone surrogate); a high surrogate followed by its low one is storable.
 * Requests, values of devices and messages of hubs share this one rule.
 */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/;
/**
 * Matches every escape, so that the second backslash of `\\u0000` does not start one. A surrogate pair matches as a whole; the group
 * captures unstorable escapes.
 */
const ESCAPE =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u(0000|[dD][89a-fA-F][\da-fA-F]{2})|[\s\S])/g;

/**
 * Whether every store keeps the text and every receiver can read it: no U+0000, which PostgreSQL refuses, and no lone surrogate, which
 * is no UTF-8.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** The text with U+FFFD in place of each unstorable character. */
export function storableText(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll("\0", "\ufffd");
}

/**
 * Returns false when the JSON surely has no unstorable text, true when it may have. @param json decoded from UTF-8, so that lone
 * surrogates are escapes in it
 */
export function mayBeUnstorable(json: string): boolean {
  return SUSPECT.test(json);
}

/** The JSON with U+FFFD in place of unstorable characters, in keys too. @param json as for {@link mayBeUnstorable} */
export function storableJson(json: string): string {
  if (!mayBeUnstorable(json)) return json;
  return json.replace(ESCAPE, (found, unstorable?: string) => (unstorable === undefined ? found : "\\ufffd"));
}
