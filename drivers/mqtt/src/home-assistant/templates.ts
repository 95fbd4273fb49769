/** Compiles the templates of a discovery message: value templates turn a message into a value, command templates a value into a payload. */
import { compileTemplate } from "@porchlight/driver-templates";
import type { Payload } from "../device/payload.ts";
import { scalarText } from "./discovery-payload.ts";

/**
 * Reads the text of a value from a message; undefined when the message does not contain it. A template that fails on the contents of its
 * place in the message, such as `null | float`, yields `None`. Never throws.
 */
export type TextReader = (payload: Payload) => string | undefined;
/** Formats the text of a command. @throws Error when the template fails for these variables */
export type TextWriter = (variables: Readonly<Record<string, unknown>>) => string;

/** @param template undefined: the message is the value */
export function textReader(template: string | undefined): TextReader | { readonly problem: string } {
  if (template === undefined) return ({ text }) => text;
  const direct = directRead(template);
  if (!direct) return rendering(template);
  // Compiled when a message first needs it, which is rare.
  let rendered: TextReader | undefined;
  return (payload) => {
    const read = direct(payload);
    if (read !== NOT_DIRECT) return read;
    rendered ??= readerOrNothing(rendering(template));
    return rendered(payload);
  };
}

function rendering(template: string): TextReader | { readonly problem: string } {
  const compiled = compileTemplate(template);
  if ("problem" in compiled) return compiled;
  const isOf = placesOf(template);
  return (payload) => {
    const { text: value, json, work } = payload;
    const variables = { value, entity_id: "", this: {}, ...(json === undefined ? {} : { value_json: json }) };
    const result = compiled.template.render(variables, work);
    // A template on a topic that several entities share renders an empty text for the messages of the others.
    if ("text" in result) return result.text.trim() === "" ? undefined : result.text;
    return isOf(payload) ? NONE : undefined;
  };
}

/** Templates render this text for no value. */
const NONE = "None";
const PLACE = /\bvalue_json((?:\.[A-Za-z_]\w*|\[\s*(?:"[^"\\]*"|'[^'\\]*'|\d+)\s*\])+)(\()?/g;
const STEP = /\.([A-Za-z_]\w*)|\[\s*(?:"([^"\\]*)"|'([^'\\]*)'|(\d+))\s*\]/g;

/** Whether a message has a value at one of the places that a template names; always true where the template uses the whole message. */
function placesOf(template: string): (payload: Payload) => boolean {
  if (!template.includes("value_json")) return () => true;
  const places = [...template.matchAll(PLACE)].map(([, path = "", call]) => {
    const steps = [...path.matchAll(STEP)].map(([, ...names]) => names.find((name) => name !== undefined) ?? "");
    return call === undefined ? steps : steps.slice(0, -1);
  });
  const some = places.filter(({ length }) => length > 0);
  return ({ json }) => some.some((path) => hasPlace(json, path));
}

function hasPlace(json: unknown, path: readonly string[]): boolean {
  let found = json;
  for (const step of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, step)) return false;
    found = Reflect.get(found, step);
  }
  return true;
}

function readerOrNothing(made: TextReader | { readonly problem: string }): TextReader {
  return "problem" in made ? () => undefined : made;
}

/** @param template undefined: the variable `value` is the command */
export function textWriter(template: string | undefined): TextWriter | { readonly problem: string } {
  if (template === undefined) return ({ value }) => String(value);
  const compiled = compileTemplate(template);
  if ("problem" in compiled) return compiled;
  return (variables) => {
    const result = compiled.template.render({ entity_id: "", this: {}, ...variables });
    if ("problem" in result) throw new Error(`The command's template fails: ${result.problem}`);
    return result.text;
  };
}

/**
 * Templates that only name a place in a message, as nine of ten do: `{{ value }}`, `{{ value_json.a["b"] }}`. They are read without the
 * evaluator, with the same result.
 */
const VALUE = /^\s*\{\{-?\s*value\s*-?\}\}\s*$/;
const PATH = /^\s*\{\{-?\s*value_json((?:\.[A-Za-z_]\w*|\[\s*(?:"[^"\\]*"|'[^'\\]*')\s*\])+)\s*-?\}\}\s*$/;
const NAME_STEP = /\.([A-Za-z_]\w*)|\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\]/g;

/** Attributes of Python's dict: `value_json.keys` refers to the attribute, and `value_json["keys"]` does not. */
const METHODS = new Set(
  ["clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values"].map(
    (name) => `.${name}`,
  ),
);

/** The template needs the evaluator after all: the value at its place does not print as a single value. */
export const NOT_DIRECT = Symbol("not direct");

/** Reads the place; undefined when the message does not have it. */
type DirectRead = (payload: Payload) => string | undefined | typeof NOT_DIRECT;

/** The reader of a template that only names a place; undefined for all others. */
export function directRead(template: string): DirectRead | undefined {
  if (VALUE.test(template)) return ({ text }) => text.trim();
  const path = PATH.exec(template)?.[1];
  if (path === undefined) return undefined;
  const steps = [...path.matchAll(NAME_STEP)];
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

/** Whether Python prints the number as JavaScript does: it prints very large and very small ones differently. */
function printsAlike(value: number): boolean {
  const size = Math.abs(value);
  return Number.isInteger(value) ? Number.isSafeInteger(value) : size >= 1e-4 && size < 1e15;
}
