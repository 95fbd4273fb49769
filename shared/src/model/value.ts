/**
 * Values of properties: their type, their equality, and the limits of their size and depth. The check of these limits is the first of a
 * value from outside: it does not recurse and stops at the limit, so that the limit bounds its cost for inputs of any size.
 */
import { limitProblem, type PropertyDescription } from "./property-schema.ts";
import { isStorable } from "./text.ts";

/** Any JSON value. `null` stands for "no value at present". */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

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

/** Whether a value has the described type, regardless of its range: a device may report values outside it. */
export function hasType(description: PropertyDescription, value: Value): boolean {
  switch (description.type) {
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return Number.isSafeInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "string":
      return typeof value === "string";
    case "json":
      return value !== null;
  }
}

/** Why a client may not set this value, as a sentence; undefined when it may. */
export function valueProblem(description: PropertyDescription, value: Value): string | undefined {
  const { type, values } = description;
  if (!hasType(description, value)) return `The value must be of type ${type}.`;
  const broken = typeof value === "number" ? limitProblem(description, value) : undefined;
  if (broken) return broken;
  if (values && !values.some((allowed) => allowed === value)) return `The value must be one of ${values.join(", ")}.`;
  const breach = valueBreach(value);
  if (breach === "bad_text") return "The value has a character that is not allowed in text.";
  if (breach === "too_deep") return `The value is nested deeper than ${MAX_VALUE_DEPTH} levels.`;
  return breach && `The value is larger than ${MAX_VALUE_BYTES} bytes.`;
}

/** Deep equality of JSON values; object keys in any order. */
export function valuesEqual(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = b as Readonly<Record<string, Value>>;
  return (
    left.length === Object.keys(right).length &&
    left.every(([key, value]) => Object.hasOwn(right, key) && valuesEqual(value, right[key] ?? null))
  );
}

/**
 * Stands for the observation time of a value that another party, such as a broker, has retained since an unknown time. The time of the
 * last change of such a value is unknown too.
 */
export const UNKNOWN_TIME = -1;
