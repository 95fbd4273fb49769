/** Filters: Jinja's, and those that Home Assistant adds. */
import { nestsDeeper } from "@porchlight/shared/kernel";
import { asText, defined, type Filter, Given } from "./arguments.ts";
import { boundedList, boundedText, checkLength, DEEPEST } from "./budget.ts";
import { booleanOf, floatOf, integerOf, roundedTo } from "./convert.ts";
import { formatted, textOf } from "./format.ts";
import { listFilters } from "./list-filters.ts";
import { capitalized, replaced, split, stripped } from "./methods.ts";
import {
  type Arguments,
  type Data,
  Float,
  isList,
  isTrue,
  itemsOf,
  numberOf,
  numeric,
  TemplateError,
  toData,
  toJson,
  typeName,
  Undefined,
} from "./python-values.ts";
import { type Pattern, patternOf, replacedMatches } from "./regular-expressions.ts";

/** Filters of texts: Jinja's, and Home Assistant's with regular expressions. */
const TEXT_FILTERS: Readonly<Record<string, Filter>> = {
  lower: (of) => textOf(of).toLowerCase(),
  upper: (of) => textOf(of).toUpperCase(),
  title: (of) =>
    textOf(of)
      .split(/([-\s({[<]+)/)
      .map(capitalized)
      .join(""),
  capitalize: (of) => capitalized(textOf(of)),
  trim: (of, given) => stripped(textOf(of), given.get(0, "chars"), true, true),
  replace: (of, given) =>
    replaced(textOf(of), textOf(given.need(0, "old")), textOf(given.need(1, "new")), given.get(2, "count")),
  truncate: (of, given) => truncated(of instanceof Undefined ? [] : [...asText("truncate", of)], given),
  format: (of, given) => boundedText(formatted(textOf(of), given.all)),
  split: (of, given) => split(asText("split", of), given),
  regex_match: (of, given) => pattern(given, { isAnchored: true, ignoresCase: 1 }).test(textOf(of)),
  regex_search: (of, given) => pattern(given, { ignoresCase: 1 }).test(textOf(of)),
  regex_replace: (of, given) =>
    replacedMatches(textOf(of), pattern(given, { ignoresCase: 2 }), given.text(1, "replace", "")),
  regex_findall: (of, given) => findings(textOf(of), pattern(given, { ignoresCase: 1 })),
  regex_findall_index: (of, given) => {
    const found = findings(textOf(of), pattern(given, { ignoresCase: 2 })).at(given.integer(1, "index", 0));
    if (found === undefined) throw new TemplateError("the pattern is not found");
    return found;
  },
};

/** @param use `ignoresCase`: position of the argument for case-insensitive matching */
function pattern(given: Given, use: { readonly isAnchored?: boolean; readonly ignoresCase: number }): Pattern {
  return patternOf(given.text(0, "find", ""), {
    isAnchored: use.isAnchored ?? false,
    ignoresCase: given.flag(use.ignoresCase, "ignorecase"),
    budget: given.budget,
  });
}

/** Like Python's `findall`: the group's match; with several groups a list of their matches; without a group the whole match. */
function findings(text: string, wanted: Pattern): Data[] {
  return [...wanted.matches(text)].map(({ whole, groups }) => {
    const parts = groups.map((part) => part ?? "");
    return parts.length > 1 ? parts : (parts[0] ?? whole);
  });
}

function truncated(characters: readonly string[], given: Given): string {
  const length = given.integer(0, "length", 255);
  const end = given.text(2, "end", "...");
  const room = length - [...end].length;
  if (room < 0) throw new TemplateError("truncate takes a length that its end fits into");
  if (characters.length <= length + given.integer(3, "leeway", 5)) return characters.join("");
  const cut = characters.slice(0, room).join("");
  const isWhole = given.flag(1, "killwords") || !cut.includes(" ");
  checkLength(cut.length + end.length);
  return (isWhole ? cut : cut.slice(0, cut.lastIndexOf(" "))) + end;
}

/** Number of a value's characters that a problem shows. */
const MOST_SHOWN = 50;

/** The converted value, or the default. @throws TemplateError without a default */
function orDefault<T extends Data>(converted: T | undefined, of: Data, otherwise: Data | undefined, to: string): Data {
  if (converted !== undefined) return converted;
  if (otherwise !== undefined) return otherwise;
  throw new TemplateError(`${typeName(of)} ${textOf(of).slice(0, MOST_SHOWN)} is no ${to}`);
}

const asFloat = (of: Data) => {
  const number = floatOf(of);
  return number === undefined ? undefined : new Float(number);
};

function numberNeeded(name: string, of: Data): number {
  const number = floatOf(of);
  if (number === undefined) throw new TemplateError(`${name} takes a number, not ${typeName(of)}`);
  return number;
}

/** The result of a function that is not defined for every number. @throws TemplateError without a default */
function calculated(name: string, of: Data, given: Given, otherwise: number, calculate: (number: number) => number) {
  const number = floatOf(defined(of));
  const result = number === undefined ? Number.NaN : calculate(number);
  const isResult = !Number.isNaN(result) && result !== Number.NEGATIVE_INFINITY;
  return orDefault(isResult ? new Float(result) : undefined, of, given.get(otherwise, "default"), `number for ${name}`);
}

const CONVERSIONS: Readonly<Record<string, Filter>> = {
  // An undefined value does not get the default: Home Assistant ignores such a message.
  float: (of, given) => orDefault(asFloat(defined(of)), of, given.get(0, "default"), "number"),
  int: (of, given) =>
    orDefault(integerOf(defined(of), given.integer(1, "base", 10)), of, given.get(0, "default"), "whole number"),
  bool: (of, given) => orDefault(booleanOf(of), of, given.get(0, "default"), "truth value"),
  string: (of) => textOf(of),
  list: (of) => boundedList(itemsOf(of)),
  round: (of, given) => {
    const number = floatOf(defined(of));
    const method = given.text(1, "method", "common");
    const rounded = number === undefined ? undefined : roundedTo(number, given.integer(0, "precision", 0), method);
    return orDefault(rounded, of, given.get(2, "default"), "number");
  },
  tojson: (of) => boundedText(JSON.stringify(toJson(of))),
  from_json: (of, given) => {
    if (of instanceof Undefined) return defined(of);
    const json = jsonOf(asText("from_json", of));
    if (json === undefined) return orDefault(undefined, of, given.get(0, "default"), "JSON");
    return given.budget.weigh(toData(json));
  },
  default: (of, given) => {
    const isFalse = isTrue(given.get(1, "boolean") ?? false) && !isTrue(of);
    if (!(of instanceof Undefined) && !isFalse) return of;
    const otherwise = given.get(0, "default_value");
    return otherwise === undefined ? "" : otherwise;
  },
  is_defined: (of) => defined(of),
  iif: (of, given) => {
    const ifNone = given.get(2, "if_none");
    if (of === null && ifNone !== undefined) return ifNone;
    const chosen = isTrue(of) ? given.get(0, "if_true") : given.get(1, "if_false");
    return chosen === undefined ? isTrue(of) : chosen;
  },
};

/** Undefined for a text that is no JSON, or is nested too deep. */
function jsonOf(text: string): unknown {
  if (nestsDeeper(text, DEEPEST)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the value is a finite number, or a text that contains one. @throws TemplateError for an undefined value */
export function isFiniteNumber(of: Data): boolean {
  const number = floatOf(defined(of));
  return number !== undefined && Number.isFinite(number);
}

const NUMBERS: Readonly<Record<string, Filter>> = {
  abs: (of) => {
    const number = numberOf(of);
    if (number === undefined) throw new TemplateError(`abs takes a number, not ${typeName(of)}`);
    return numeric(Math.abs(number), of);
  },
  multiply: (of, given) => calculated("multiply", of, given, 1, (a) => a * numberNeeded("multiply", given.need(0))),
  add: (of, given) => calculated("add", of, given, 1, (a) => a + numberNeeded("add", given.need(0))),
  bitwise_and: (of, given) => bits(of, given.need(0), (a, b) => a & b),
  bitwise_or: (of, given) => bits(of, given.need(0), (a, b) => a | b),
  bitwise_xor: (of, given) => bits(of, given.need(0), (a, b) => a ^ b),
  sqrt: (of, given) => calculated("sqrt", of, given, 0, Math.sqrt),
  log: (of, given) => {
    const base = given.get(0, "base");
    const logBase = base === undefined ? 1 : Math.log(numberNeeded("log", base));
    return calculated("log", of, given, 1, (number) => Math.log(number) / logBase);
  },
  is_number: (of) => isFiniteNumber(of),
};

function bits(of: Data, by: Data, operate: (a: bigint, b: bigint) => bigint): Data {
  const [a, b] = [of, by].map((each) => (each instanceof Float ? undefined : numberOf(each)));
  if (a === undefined || b === undefined) throw new TemplateError("bits are those of whole numbers");
  return numeric(Number(operate(BigInt(a), BigInt(b))));
}

const OTHER_NAMES: Readonly<Record<string, string>> = { d: "default", count: "length", to_json: "tojson" };

const FILTERS: ReadonlyMap<string, Filter> = new Map(
  [CONVERSIONS, NUMBERS, TEXT_FILTERS, listFilters(applyFilter)].flatMap((filters) => Object.entries(filters)),
);

export function hasFilter(name: string): boolean {
  return FILTERS.has(OTHER_NAMES[name] ?? name);
}

/** @throws TemplateError */
export function applyFilter(name: string, of: Data, args: Arguments): Data {
  const filter = FILTERS.get(OTHER_NAMES[name] ?? name);
  if (!filter) throw new TemplateError(`the filter ${name} is not understood`);
  return filter(of, new Given(name, args));
}

/** `min(1, 2)` and `min([1, 2])`. */
export function extremeOf(name: "min" | "max", given: Given): Data {
  const [only, ...others] = given.all;
  if (only === undefined) throw new TemplateError(`${name} needs an argument`);
  const of = others.length === 0 && isList(only) ? only : given.all;
  return applyFilter(name, of, { positional: [], named: new Map(), budget: given.budget });
}
