/**
 * Finds filters, tests, functions and parts of patterns that the evaluator does not support, when a template is compiled and not with the
 * first message.
 */

import { Given } from "./arguments.ts";
import type { Expression, Statement } from "./arithmetic.ts";
import { MOST_ITEMS } from "./budget.ts";
import { applyFilter, extremeOf, hasFilter, isFiniteNumber } from "./filters.ts";
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
import { readPattern } from "./regular-expressions.ts";
import { hasTest } from "./value-tests.ts";

/** Functions of Home Assistant that need its clock or its other entities. */
const NOT_HAD: ReadonlySet<string> = new Set([
  ...[
    "now",
    "utcnow",
    "today_at",
    "as_timestamp",
    "strptime",
    "timedelta",
    "states",
    "state_attr",
    "is_state",
    "is_state_attr",
  ],
]);

/** A problem in words for each unsupported name. */
export function unknownNames(statements: readonly Statement[]): string[] {
  return statements.flatMap(inStatement);
}

function inStatement(statement: Statement): string[] {
  switch (statement.kind) {
    case "text":
      return [];
    case "write":
    case "set":
    case "setMember":
      return inExpression(statement.value);
    case "setBlock":
      return unknownNames(statement.body);
    case "if":
      return [
        ...statement.branches.flatMap(({ condition, body }) => [...inExpression(condition), ...unknownNames(body)]),
        ...unknownNames(statement.otherwise),
      ];
    case "for":
      return [
        ...inExpression(statement.in),
        ...(statement.only ? inExpression(statement.only) : []),
        ...unknownNames([...statement.body, ...statement.otherwise]),
      ];
  }
}

function inExpression(expression: Expression): string[] {
  const own = unknownHere(expression);
  return [...(own === undefined ? [] : [own]), ...partsOf(expression).flatMap(inExpression)];
}

function unknownHere(expression: Expression): string | undefined {
  if (expression.kind === "filter" && !hasFilter(expression.name))
    return `the filter ${expression.name} is not understood`;
  if (expression.kind === "test" && !hasTest(expression.name)) return `the test ${expression.name} is not understood`;
  if (expression.kind === "name" && NOT_HAD.has(expression.name)) return noFunction(expression.name);
  // A variable is not callable.
  if (expression.kind === "call" && expression.of.kind === "name" && !functionNamed(expression.of.name))
    return noFunction(expression.of.name);
  return patternProblem(expression);
}

/** The problem of a pattern that is a literal in the template. */
function patternProblem(expression: Expression): string | undefined {
  const hasPattern =
    (expression.kind === "filter" && expression.name.startsWith("regex_")) ||
    (expression.kind === "test" && (expression.name === "match" || expression.name === "search"));
  if (!hasPattern) return undefined;
  const { positional, named } = expression.args;
  const pattern = positional[0] ?? named.find(([name]) => name === "find")?.[1];
  if (pattern?.kind !== "literal" || typeof pattern.value !== "string") return undefined;
  try {
    readPattern(pattern.value);
    return undefined;
  } catch (failure) {
    if (failure instanceof TemplateError) return failure.message;
    throw failure;
  }
}

function noFunction(name: string): string {
  return `the function ${name} is not understood`;
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "literal":
    case "name":
      return [];
    case "list":
      return expression.items;
    case "dict":
      return expression.entries.flat();
    case "member":
    case "unary":
      return [expression.of];
    case "item":
      return [expression.of, expression.key];
    case "slice":
      return [expression.of, expression.from, expression.to, expression.step].filter((each) => each !== undefined);
    case "call":
    case "filter":
    case "test":
      return [expression.of, ...expression.args.positional, ...expression.args.named.map(([, each]) => each)];
    case "binary":
    case "both":
    case "either":
      return [expression.left, expression.right];
    case "compare":
      return [expression.first, ...expression.rest.map((each) => each.with)];
    case "choice":
      return [expression.condition, expression.then, ...(expression.otherwise ? [expression.otherwise] : [])];
  }
}

/** Functions that are also filters: the filtered value is their first argument. */
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

/** The function that a template may call by that name; undefined for any other name. */
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
