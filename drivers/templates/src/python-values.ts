/**
 * Values as templates have them, which are Python's: a whole number and a floating one are two types, and are printed differently.
 * JSON does not tell 255 from 255.0, so a whole number of a message is an integer.
 */
import type { RE2JS } from "re2js";

/** A floating-point number. */
export class Float {
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }
}

/** A name or member that is not there. */
export class Undefined {
  /** What was looked for, for messages. */
  readonly what: string;

  constructor(what: string) {
    this.what = what;
  }
}

/** Something that can be called: a method of a value, or a function. */
export class Callable {
  readonly name: string;
  readonly call: (args: Arguments) => Data;

  constructor(name: string, call: (args: Arguments) => Data) {
    this.name = name;
    this.call = call;
  }
}

/** What `namespace()` makes: the one value that can be changed. It is opaque to whatever looks into values, since it may hold itself. */
export class Namespace {
  readonly members: Map<string, Data>;

  constructor(members: Iterable<readonly [string, Data]>) {
    this.members = new Map(members);
  }
}

/** What a function takes its work from. */
export interface Spending {
  readonly patterns: CompiledPatterns;
  /** @throws TemplateError when nothing is left */
  step(count?: number): void;
  /** Takes as many steps as looking at all of the value takes. @throws TemplateError */
  weigh<Value extends Data>(value: Value): Value;
}

export interface Arguments {
  readonly positional: readonly Data[];
  readonly named: ReadonlyMap<string, Data>;
  /** Of the rendering that calls. */
  readonly budget: Spending;
}

export type Dict = Map<Key, Data>;
export type Key = string | number | boolean | null;
export type Data = null | boolean | number | string | Float | Undefined | Callable | Namespace | readonly Data[] | Dict;

/** A template cannot go on: what Python or Home Assistant would raise. */
export class TemplateError extends Error {}

/** A value of JSON, or a variable of the caller, as data. What is neither is undefined. */
export function toData(json: unknown): Data {
  if (json === null || typeof json === "boolean" || typeof json === "string") return json;
  if (typeof json === "number") return Number.isSafeInteger(json) ? json : new Float(json);
  if (Array.isArray(json)) return json.map(toData);
  if (typeof json === "object") return new Map(Object.entries(json).map(([key, value]) => [key, toData(value)]));
  return new Undefined("value");
}

/** The other way, for `tojson`. @throws TemplateError for what JSON cannot say */
export function toJson(data: Data): unknown {
  if (data instanceof Float) return data.number;
  if (data instanceof Map) return Object.fromEntries([...data].map(([key, value]) => [String(key), toJson(value)]));
  if (isList(data)) return data.map(toJson);
  if (data instanceof Undefined || data instanceof Callable || data instanceof Namespace)
    throw new TemplateError("this is not a JSON value");
  return data;
}

export function isList(data: Data): data is readonly Data[] {
  return Array.isArray(data);
}

/** As a JavaScript number; undefined for what is no number. `True` counts as 1, as in Python. */
export function numberOf(data: Data): number | undefined {
  if (typeof data === "number") return data;
  if (typeof data === "boolean") return data ? 1 : 0;
  return data instanceof Float ? data.number : undefined;
}

/** A result of arithmetic: floating when one of the operands was. */
export function numeric(result: number, ...operands: readonly Data[]): Data {
  if (operands.some((operand) => operand instanceof Float)) return new Float(result);
  if (!Number.isSafeInteger(result)) throw new TemplateError("the number is too large");
  return result === 0 ? 0 : result;
}

export function isTrue(data: Data): boolean {
  if (data instanceof Undefined || data === null) return false;
  if (data instanceof Float) return data.number !== 0;
  if (data instanceof Map) return data.size > 0;
  if (isList(data) || typeof data === "string") return data.length > 0;
  return data instanceof Callable || data instanceof Namespace || Boolean(data);
}

/** As `==` of Python: 1, 1.0 and True are equal. */
export function isEqual(a: Data, b: Data): boolean {
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left !== undefined && right !== undefined) return left === right;
  if (isList(a) && isList(b)) return a.length === b.length && a.every((each, n) => isEqual(each, b[n] ?? null));
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([key, value]) => b.has(key) && isEqual(value, b.get(key) ?? null));
  }
  if (a instanceof Undefined && b instanceof Undefined) return true;
  return a === b;
}

/** Below zero when `a` comes first. @throws TemplateError for what has no order */
export function order(a: Data, b: Data): number {
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left !== undefined && right !== undefined) return left - right;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  if (isList(a) && isList(b)) {
    for (const [n, each] of a.entries()) {
      const other = b[n];
      if (other === undefined) return 1;
      if (!isEqual(each, other)) return order(each, other);
    }
    return a.length - b.length;
  }
  throw new TemplateError(`${typeName(a)} and ${typeName(b)} have no order`);
}

/** Whether it can be a key of a dictionary. */
export function isKey(data: Data): boolean {
  return data === null || typeof data === "string" || numberOf(data) !== undefined;
}

/** A key of a dictionary. 1, 1.0 and True are one key. @throws TemplateError */
export function keyOf(data: Data): Key {
  if (data === null || typeof data === "string") return data;
  const number = numberOf(data);
  if (number !== undefined) return number;
  throw new TemplateError(`${typeName(data)} cannot be a key`);
}

export function typeName(data: Data): string {
  if (data === null) return "None";
  if (data instanceof Float) return "float";
  if (data instanceof Undefined) return `undefined ${data.what}`;
  if (data instanceof Callable) return `function ${data.name}`;
  if (data instanceof Namespace) return "namespace";
  if (data instanceof Map) return "dict";
  if (isList(data)) return "list";
  if (typeof data === "string") return "str";
  return typeof data === "boolean" ? "bool" : "int";
}

/** Whether `sameas` holds: two values of one type, and not only equal ones. */
export function isSame(a: Data, b: Data): boolean {
  if (a instanceof Float && b instanceof Float) return a.number === b.number;
  return a === b;
}

/** What is iterated: items of a list, keys of a dictionary, characters of a text. @throws TemplateError */
export function itemsOf(data: Data): readonly Data[] {
  if (isList(data)) return data;
  if (data instanceof Map) return [...data.keys()];
  if (typeof data === "string") return [...data];
  if (data instanceof Undefined) return [];
  throw new TemplateError(`${typeName(data)} is not a list`);
}

/** A compiled regular expression, apart from what compiles it: values know the type, and patterns need values. */
export interface CompiledPattern {
  readonly expression: RE2JS;
  /** The number of each named group. */
  readonly names: ReadonlyMap<string, number>;
  /** How far beyond its end a match can have looked, characters. */
  readonly reach: number;
}

/** Patterns of one template, ready for its next message. */
export type CompiledPatterns = Map<string, CompiledPattern>;
