/** Filters: Jinja's, and those that Home Assistant adds. */
import { asText, defined, Given } from "./arguments.ts";
import { binary } from "./arithmetic.ts";
import { boundedList, boundedText } from "./budget.ts";
import { booleanOf, floatOf, integerOf, roundedTo } from "./convert.ts";
import { formatted } from "./format.ts";
import { capitalized, replaced, stripped, titled } from "./methods.ts";
import { textOf } from "./python-text.ts";
import {
  type Arguments,
  type Data,
  Float,
  isEqual,
  isList,
  isTrue,
  itemsOf,
  numberOf,
  numeric,
  order,
  TemplateError,
  toData,
  toJson,
  typeName,
  Undefined,
} from "./python-values.ts";
import { safeRegExp } from "./regular-expressions.ts";

type Filter = (of: Data, given: Given) => Data;

/** What a conversion gives, or its default. @throws TemplateError without one */
function orDefault<T extends Data>(converted: T | undefined, of: Data, otherwise: Data | undefined, to: string): Data {
  if (converted !== undefined) return converted;
  if (otherwise !== undefined) return otherwise;
  throw new TemplateError(`${typeName(of)} ${textOf(of)} is no ${to}`);
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

const CONVERSIONS: Readonly<Record<string, Filter>> = {
  float: (of, given) => orDefault(asFloat(of), of, given.get(0, "default"), "number"),
  int: (of, given) =>
    orDefault(integerOf(of, given.integer(1, "base", 10)), of, given.get(0, "default"), "whole number"),
  bool: (of, given) => orDefault(booleanOf(of), of, given.get(0, "default"), "truth value"),
  string: (of) => textOf(of),
  list: (of) => boundedList(itemsOf(of)),
  round: (of, given) => {
    const number = floatOf(of);
    const method = given.text(1, "method", "common");
    const rounded = number === undefined ? undefined : roundedTo(number, given.integer(0, "precision", 0), method);
    return orDefault(rounded, of, given.get(2, "default"), "number");
  },
  tojson: (of) => boundedText(JSON.stringify(toJson(of))),
  from_json: (of, given) => {
    try {
      return toData(JSON.parse(asText("from_json", of)));
    } catch {
      return orDefault(undefined, of, given.get(0, "default"), "JSON");
    }
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

const NUMBERS: Readonly<Record<string, Filter>> = {
  abs: (of) => numeric(Math.abs(numberOf(of) ?? numberNeeded("abs", of)), of),
  multiply: (of, given) => new Float(numberNeeded("multiply", of) * numberNeeded("multiply", given.need(0))),
  add: (of, given) => new Float(numberNeeded("add", of) + numberNeeded("add", given.need(0))),
  bitwise_and: (of, given) => bits(of, given.need(0), (a, b) => a & b),
  bitwise_or: (of, given) => bits(of, given.need(0), (a, b) => a | b),
  bitwise_xor: (of, given) => bits(of, given.need(0), (a, b) => a ^ b),
  sqrt: (of) => new Float(Math.sqrt(numberNeeded("sqrt", of))),
  log: (of, given) => {
    const base = given.get(0, "base");
    return new Float(
      Math.log(numberNeeded("log", of)) / (base === undefined ? 1 : Math.log(numberNeeded("log", base))),
    );
  },
};

function bits(of: Data, by: Data, operate: (a: bigint, b: bigint) => bigint): Data {
  const [a, b] = [integerOf(of), integerOf(by)];
  if (a === undefined || b === undefined) throw new TemplateError("bits are those of whole numbers");
  return numeric(Number(operate(BigInt(a), BigInt(b))));
}

const TEXTS: Readonly<Record<string, Filter>> = {
  lower: (of) => textOf(of).toLowerCase(),
  upper: (of) => textOf(of).toUpperCase(),
  title: (of) => titled(textOf(of)),
  capitalize: (of) => capitalized(textOf(of)),
  trim: (of, given) => stripped(textOf(of), given.get(0, "chars"), true, true),
  replace: (of, given) => boundedText(replaced(textOf(of), given.text(0, "old"), textOf(given.need(1, "new")))),
  truncate: (of, given) => {
    const text = textOf(of);
    const length = given.integer(0, "length", 255);
    const end = given.text(2, "end", "...");
    if (text.length <= length + given.integer(3, "leeway", 5)) return text;
    const cut = text.slice(0, Math.max(0, length - end.length));
    const isWhole = isTrue(given.get(1, "killwords") ?? false) || !cut.includes(" ");
    return (isWhole ? cut : cut.slice(0, cut.lastIndexOf(" "))) + end;
  },
  format: (of, given) => boundedText(formatted(textOf(of), given.all)),
  split: (of, given) => boundedList(textOf(of).split(given.text(0, "sep", " "))),
  regex_match: (of, given) => safeRegExp(`^(?:${given.text(0, "find", "")})`, "").test(textOf(of)),
  regex_search: (of, given) => safeRegExp(given.text(0, "find", ""), "").test(textOf(of)),
  regex_replace: (of, given) => {
    const by = given
      .text(1, "replace", "")
      .replace(/\$/g, "$$$$")
      .replace(/\\(\d)/g, "$$$1");
    return boundedText(textOf(of).replace(safeRegExp(given.text(0, "find", ""), "g"), by));
  },
  regex_findall_index: (of, given) => {
    const all = [...textOf(of).matchAll(safeRegExp(given.text(0, "find", ""), "g"))];
    const found = all[given.integer(1, "index", 0)];
    if (!found) throw new TemplateError("the pattern is not found");
    return found[1] ?? found[0];
  },
};

const LISTS: Readonly<Record<string, Filter>> = {
  first: (of) => itemAt(of, 0),
  last: (of) => itemAt(of, -1),
  length: (of) => itemsOf(defined(of)).length,
  join: (of, given) =>
    boundedText(
      itemsOf(of)
        .map(textOf)
        .join(given.text(0, "d", "")),
    ),
  min: (of) => extreme(of, (a, b) => order(a, b) < 0),
  max: (of) => extreme(of, (a, b) => order(a, b) > 0),
  sum: (of, given) => itemsOf(of).reduce<Data>((sum, each) => binary("+", sum, each), given.get(1, "start") ?? 0),
  sort: (of, given) => {
    const sorted = [...itemsOf(of)].sort(order);
    return isTrue(given.get(0, "reverse") ?? false) ? sorted.reverse() : sorted;
  },
  // Over each item a filter (`map('int')`), or its member (`map(attribute='x')`).
  map: (of, given) => {
    const attribute = given.get(-1, "attribute");
    if (typeof attribute === "string")
      return itemsOf(of).map((each) => {
        const member = each instanceof Map ? each.get(attribute) : undefined;
        return member === undefined ? new Undefined(attribute) : member;
      });
    const args = { positional: given.all.slice(1), named: new Map() };
    return itemsOf(of).map((each) => applyFilter(given.text(0, "filter"), each, args));
  },
  reverse: (of) => (typeof of === "string" ? [...of].reverse().join("") : [...itemsOf(of)].reverse()),
  unique: (of) => itemsOf(of).filter((each, n, all) => all.findIndex((other) => isEqual(each, other)) === n),
};

function itemAt(of: Data, place: number): Data {
  const found = itemsOf(of).at(place);
  return found === undefined ? new Undefined("item of an empty list") : found;
}

function extreme(of: Data, isBetter: (a: Data, b: Data) => boolean): Data {
  const [first, ...others] = itemsOf(of);
  if (first === undefined) return new Undefined("item of an empty list");
  return others.reduce((best, each) => (isBetter(each, best) ? each : best), first);
}

const OTHER_NAMES: Readonly<Record<string, string>> = { d: "default", count: "length", to_json: "tojson" };

const FILTERS: ReadonlyMap<string, Filter> = new Map(
  [CONVERSIONS, NUMBERS, TEXTS, LISTS].flatMap((filters) => Object.entries(filters)),
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
  const of = others.length === 0 && only !== undefined && isList(only) ? only : given.all;
  return applyFilter(name, of, { positional: [], named: new Map() });
}
