/** Functions that a template may call by their name. */
import { Given } from "./arguments.ts";
import { MOST_ITEMS } from "./budget.ts";
import { applyFilter, extremeOf, isFiniteNumber } from "./filters.ts";
import {
  type Arguments,
  Callable,
  type Data,
  type Dict,
  isList,
  keyOf,
  Namespace,
  TemplateError,
} from "./python-values.ts";

/** Those that are filters as well: their first argument is what is filtered. */
const AS_FILTERS = ["float", "int", "bool", "round", "iif", "abs", "sqrt", "log"];

const FUNCTIONS: ReadonlyMap<string, (given: Given, args: Arguments) => Data> = new Map<
  string,
  (given: Given, args: Arguments) => Data
>([
  ...AS_FILTERS.map(
    (name) => [name, (given: Given, args: Arguments) => applyFilter(name, given.need(0), withoutFirst(args))] as const,
  ),
  ["min", (given) => extremeOf("min", given)],
  ["max", (given) => extremeOf("max", given)],
  ["is_number", (given) => isFiniteNumber(given.need(0))],
  ["dict", (given, args) => dictOf(given, args)],
  ["namespace", (given, args) => namespaceOf(given, args)],
  ["range", (given) => rangeOf(given)],
]);

/** Undefined for a name that is no function. */
export function functionNamed(name: string): Callable | undefined {
  const found = FUNCTIONS.get(name);
  return found && new Callable(name, (args) => found(new Given(name, args), args));
}

function withoutFirst(args: Arguments): Arguments {
  return { ...args, positional: args.positional.slice(1) };
}

function namespaceOf(given: Given, args: Arguments): Namespace {
  return new Namespace([...dictOf(given, args)].map(([name, value]) => [String(name), value]));
}

function dictOf(given: Given, { named }: Arguments): Dict {
  const from = given.get(0);
  const dict: Dict = new Map(from instanceof Map ? from : []);
  if (from !== undefined && isList(from)) {
    for (const entry of from) {
      const [key, value] = isList(entry) ? entry : [];
      if (key === undefined || value === undefined) throw new TemplateError("dict takes pairs");
      dict.set(keyOf(key), value);
    }
  }
  for (const [key, value] of named) dict.set(key, value);
  return dict;
}

function rangeOf(given: Given): readonly Data[] {
  const hasStart = given.get(1) !== undefined;
  const from = hasStart ? given.integer(0, "start", 0) : 0;
  const to = given.integer(hasStart ? 1 : 0, "stop", 0);
  const step = given.integer(2, "step", 1);
  if (step === 0) throw new TemplateError("range takes a step");
  const count = Math.max(0, Math.ceil((to - from) / step));
  if (count > MOST_ITEMS) throw new TemplateError("the range is too long");
  return Array.from({ length: count }, (_, n) => from + n * step);
}
