/** Filters, tests, functions and parts of patterns that the evaluator does not have: found when a template is compiled, and not with the first message. */
import { hasFilter } from "./filters.ts";
import { functionNamed } from "./functions.ts";
import { TemplateError } from "./python-values.ts";
import { readPattern } from "./regular-expressions.ts";
import type { Expression, Statement } from "./syntax.ts";
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

/** What is unknown, each in words. */
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
  // A variable is nothing that can be called.
  if (expression.kind === "call" && expression.of.kind === "name" && !functionNamed(expression.of.name))
    return noFunction(expression.of.name);
  return patternProblem(expression);
}

/** Of a pattern that the template has in its own text. */
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
