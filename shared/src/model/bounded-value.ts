/**
 * How large and how deep a property value may be. Its own file because it is the first look at a value from outside: it does not
 * recurse, and it stops at the limit, so that its cost is bounded by the limit and not by what was sent.
 */

/** Largest value, bytes of its JSON. */
export const MAX_VALUE_BYTES = 16 * 1024;

/** Arrays and objects inside each other. What follows may recurse: as deep as the deepest body of a request. */
export const MAX_VALUE_DEPTH = 200;

/** `bad_text`: a key or a text in it is not storable. `not_json`: there is no value, or it holds what JSON cannot say, as a number past any double. */
export type ValueBreach = "too_large" | "too_deep" | "bad_text" | "not_json";

/** Which bound a value breaks; undefined when it breaks none. */
export function valueBreach(value: unknown): ValueBreach | undefined {
  // What most values are.
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

/** Bytes of brackets and commas; what stands between them is added to `inner` as long as it may fit. */
function openArray(array: readonly unknown[], left: number, inner: unknown[]): number {
  const bytes = 2 + Math.max(0, array.length - 1);
  if (bytes + array.length <= left) for (const part of array) inner.push(part);
  // An item has a byte at least.
  return bytes + array.length <= left ? bytes : left + 1;
}

/** As {@link openArray}, with the keys; undefined when one of them is not storable. */
function openObject(object: object, left: number, inner: unknown[]): number | undefined {
  let bytes = 1;
  for (const [key, part] of members(object)) {
    if (isBad(key, left)) return undefined;
    // With the colon, and the comma or the closing brace.
    bytes += textBytes(key, left) + 2;
    if (bytes > left) return bytes;
    inner.push(part);
  }
  return Math.max(2, bytes);
}

function* members(object: object): Iterable<[string, unknown]> {
  for (const key in object) if (Object.hasOwn(object, key)) yield [key, Reflect.get(object, key)];
}

/** Whether a text is not storable; one that does not fit is not looked at. */
function isBad(text: string, left: number): boolean {
  return text.length <= left && !isStorable(text);
}

/** Undefined for what is no JSON. */
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

/** Bytes of a text with its quotes; of one that does not fit, any number that does not. */
function textBytes(text: string, left: number): number {
  return text.length > left ? text.length : Buffer.byteLength(JSON.stringify(text));
}

// Text that every store keeps and every receiver can read: Unicode without U+0000. Its own file because requests, values of devices and
// messages of hubs have this one rule, and none may have another.

/** An escape of JSON that can stand for what is not storable. A high surrogate whose low one follows is a character like any other. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/;
/** Every escape, so that the second backslash of `\\u0000` does not begin one. A pair is whole; the group has what is not storable. */
const ESCAPE =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u(0000|[dD][89a-fA-F][\da-fA-F]{2})|[\s\S])/g;

/** Whether the text has neither U+0000, which PostgreSQL refuses, nor a lone surrogate, which is no UTF-8. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** The text with U+FFFD in the place of what is not storable. */
export function storableText(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll("\0", "\ufffd");
}

/** False when no text in the JSON is unstorable; true when one may be. @param json decoded from UTF-8: lone surrogates are escapes in it */
export function mayBeUnstorable(json: string): boolean {
  return SUSPECT.test(json);
}

/** The JSON with U+FFFD in the place of what is not storable, in keys too. @param json as of {@link mayBeUnstorable} */
export function storableJson(json: string): string {
  if (!mayBeUnstorable(json)) return json;
  return json.replace(ESCAPE, (found, unstorable?: string) => (unstorable === undefined ? found : "\\ufffd"));
}
