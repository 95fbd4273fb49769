/**
 * The values of templates, with Python's types: integers and floats are distinct, and print differently. JSON does not distinguish 255
 * from 255.0, so a whole number in a message is an integer.
 */
import type { RE2JS } from "re2js";

/** A floating-point number. */
export class Float {
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }
}

/** An undefined name or member. */
export class Undefined {
  /** The name that was looked up, for messages. */
  readonly what: string;

  constructor(what: string) {
    this.what = what;
  }
}

/** A callable value: a method of a value, or a function. */
export class Callable {
  readonly name: string;
  readonly call: (args: Arguments) => Data;

  constructor(name: string, call: (args: Arguments) => Data) {
    this.name = name;
    this.call = call;
  }
}

/** The result of `namespace()`: the only mutable value. Functions that traverse values do not enter it, since it may contain itself. */
export class Namespace {
  readonly members: Map<string, Data>;

  constructor(members: Iterable<readonly [string, Data]>) {
    this.members = new Map(members);
  }
}

/** The budget that a function charges for its work. */
export interface Spending {
  readonly patterns: CompiledPatterns;
  /** @throws TemplateError when the allowance is used up */
  step(count?: number): void;
  /** Charges the steps for a visit of the whole value. @throws TemplateError */
  weigh<Value extends Data>(value: Value): Value;
}

export interface Arguments {
  readonly positional: readonly Data[];
  readonly named: ReadonlyMap<string, Data>;
  /** The budget of the calling rendering. */
  readonly budget: Spending;
}

export type Dict = Map<Key, Data>;
export type Key = string | number | boolean | null;
export type Data = null | boolean | number | string | Float | Undefined | Callable | Namespace | readonly Data[] | Dict;

/** A template cannot continue, where Python or Home Assistant would raise an error. */
export class TemplateError extends Error {}

/** Converts a value of JSON, or a variable of the caller, to data. Any other value becomes undefined. */
export function toData(json: unknown): Data {
  if (json === null || typeof json === "boolean" || typeof json === "string") return json;
  if (typeof json === "number") return Number.isSafeInteger(json) ? json : new Float(json);
  if (Array.isArray(json)) return json.map(toData);
  if (typeof json === "object") return new Map(Object.entries(json).map(([key, value]) => [key, toData(value)]));
  return new Undefined("value");
}

/** Converts data to JSON, for `tojson`. @throws TemplateError for data that JSON cannot represent */
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

/** As a JavaScript number; undefined for a value that is no number. `True` counts as 1, as in Python. */
export function numberOf(data: Data): number | undefined {
  if (typeof data === "number") return data;
  if (typeof data === "boolean") return data ? 1 : 0;
  return data instanceof Float ? data.number : undefined;
}

/** A result of arithmetic: a float when one of the operands was a float. */
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

/** Python's `==`: 1, 1.0 and True are equal. */
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

/** Negative when `a` comes first. @throws TemplateError for values without an order */
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

/** Whether the value can be a key of a dictionary. */
export function isKey(data: Data): boolean {
  return data === null || typeof data === "string" || numberOf(data) !== undefined;
}

/** The key of a dictionary. 1, 1.0 and True are one key. @throws TemplateError */
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

/** The test `sameas`: equal values of the same type. */
export function isSame(a: Data, b: Data): boolean {
  if (a instanceof Float && b instanceof Float) return a.number === b.number;
  return a === b;
}

/** The items of an iteration: items of a list, keys of a dictionary, characters of a text. @throws TemplateError */
export function itemsOf(data: Data): readonly Data[] {
  if (isList(data)) return data;
  if (data instanceof Map) return [...data.keys()];
  if (typeof data === "string") return [...data];
  if (data instanceof Undefined) return [];
  throw new TemplateError(`${typeName(data)} is not a list`);
}

/** A compiled regular expression. Apart from the compiler: values know the type, and patterns need values. */
export interface CompiledPattern {
  readonly expression: RE2JS;
  /** The number of each named group. */
  readonly names: ReadonlyMap<string, number>;
  /** How far beyond its end a match can have read, characters. */
  readonly reach: number;
}

/** Compiled patterns of one template, kept for its next message. */
export type CompiledPatterns = Map<string, CompiledPattern>;
