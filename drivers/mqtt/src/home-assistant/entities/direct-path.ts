/**
 * Templates that only name a place in a message, which nine of ten do: `{{ value }}`, `{{ value_json.a["b"] }}`. They are read without the
 * evaluator, with the same result.
 */
import type { Payload } from "../../device/payload.ts";
import { scalarText } from "../discovery/discovery-payload.ts";

const VALUE = /^\s*\{\{-?\s*value\s*-?\}\}\s*$/;
const PATH = /^\s*\{\{-?\s*value_json((?:\.[A-Za-z_]\w*|\[\s*(?:"[^"\\]*"|'[^'\\]*')\s*\])+)\s*-?\}\}\s*$/;
const STEP = /\.([A-Za-z_]\w*)|\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\]/g;

/** Attributes of Python's dict, which `value_json.keys` means and `value_json["keys"]` does not. */
const METHODS = new Set(
  ["clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values"].map(
    (name) => `.${name}`,
  ),
);

/** Needs the evaluator after all: what is there prints as no single value. */
export const NOT_DIRECT = Symbol("not direct");

/** Reads the place; undefined when the message does not have it. */
export type DirectRead = (payload: Payload) => string | undefined | typeof NOT_DIRECT;

/** The reader of a template that only names a place; undefined for all others. */
export function directRead(template: string): DirectRead | undefined {
  if (VALUE.test(template)) return ({ text }) => text.trim();
  const path = PATH.exec(template)?.[1];
  if (path === undefined) return undefined;
  const steps = [...path.matchAll(STEP)];
  if (steps.some(([step]) => METHODS.has(step))) return undefined;
  const keys = steps.map(([, dotted, double, single]) => dotted ?? double ?? single ?? "");
  return (payload) => printed(follow(payload.json, keys));
}

function follow(from: unknown, keys: readonly string[]): unknown {
  let at = from;
  for (const key of keys) {
    if (typeof at !== "object" || at === null || Array.isArray(at) || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

function printed(value: unknown): string | undefined | typeof NOT_DIRECT {
  if (value === undefined) return undefined;
  if (value === null) return "None";
  if (typeof value === "string") return value.trim();
  if (typeof value === "boolean") return scalarText(value);
  return typeof value === "number" && printsAlike(value) ? scalarText(value) : NOT_DIRECT;
}

/** Python writes very large and very small numbers in another way. */
function printsAlike(value: number): boolean {
  const size = Math.abs(value);
  return Number.isInteger(value) ? Number.isSafeInteger(value) : size >= 1e-4 && size < 1e15;
}
