/** Evaluates expressions. */
import { defined } from "./arguments.ts";
import { binary, type CallArguments, compare, type Expression } from "./arithmetic.ts";
import type { Budget } from "./budget.ts";
import { applyFilter } from "./filters.ts";
import { methodOf } from "./methods.ts";
import {
  type Arguments,
  Callable,
  type Data,
  Float,
  isKey,
  isList,
  isTrue,
  keyOf,
  Namespace,
  numberOf,
  numeric,
  TemplateError,
  typeName,
  Undefined,
} from "./python-values.ts";
import { functionNamed } from "./unknown-names.ts";
import { passesTest } from "./value-tests.ts";

/** Number of parts of a value that are picked in one step. */
const PICKED_IN_STEP = 16;

export interface Scope {
  readonly names: Names;
  readonly budget: Budget;
}

/** @throws TemplateError for an error that Python or Home Assistant would raise */
export function evaluate(expression: Expression, scope: Scope): Data {
  scope.budget.step();
  const value = (of: Expression) => evaluate(of, scope);
  const operand = (of: Expression) => scope.budget.weigh(value(of));
  switch (expression.kind) {
    case "literal":
      return expression.value;
    case "name":
      return named(expression.name, scope);
    case "list":
      return expression.items.map(value);
    case "dict":
      return new Map(expression.entries.map(([key, of]) => [keyOf(value(key)), value(of)]));
    case "member":
      return memberOf(value(expression.of), expression.name, scope);
    case "item":
      return itemOf(value(expression.of), value(expression.key), scope);
    case "slice":
      return sliceOf(
        scope.budget,
        operand(expression.of),
        ...([expression.from, expression.to, expression.step].map((each) => each && value(each)) satisfies unknown[]),
      );
    case "call":
      return called(value(expression.of), argumentsOf(expression.args, scope));
    case "filter":
      return applyFilter(expression.name, operand(expression.of), argumentsOf(expression.args, scope));
    case "test":
      return (
        passesTest(expression.name, operand(expression.of), argumentsOf(expression.args, scope)) !== expression.isNot
      );
    case "unary":
      return unary(expression.operator, value(expression.of));
    case "binary":
      return binary(expression.operator, operand(expression.left), operand(expression.right));
    case "both": {
      const left = value(expression.left);
      return isTrue(left) ? value(expression.right) : left;
    }
    case "either": {
      const left = value(expression.left);
      return isTrue(left) ? left : value(expression.right);
    }
    case "compare": {
      let left = operand(expression.first);
      for (const { operator, with: other } of expression.rest) {
        const right = operand(other);
        if (!compare(operator, left, right)) return false;
        left = right;
      }
      return true;
    }
    case "choice":
      if (isTrue(value(expression.condition))) return value(expression.then);
      return expression.otherwise ? value(expression.otherwise) : new Undefined("value without an else");
  }
}

function named(name: string, { names }: Scope): Data {
  const value = names.get(name);
  return value === undefined ? (functionNamed(name) ?? new Undefined(name)) : value;
}

function unary(operator: "-" | "+" | "not", of: Data): Data {
  if (operator === "not") return !isTrue(of);
  const number = numberOf(of);
  if (number === undefined) throw new TemplateError(`${operator} does not take ${typeName(of)}`);
  if (of instanceof Float) return new Float(operator === "-" ? -number : number);
  return numeric(operator === "-" ? -number : number);
}

/** A method takes precedence over a key of the same name: `value_json.items`. */
function memberOf(of: Data, name: string, scope: Scope): Data {
  defined(of);
  const method = methodOf(of, name);
  if (method) {
    scope.budget.weigh(of);
    return method;
  }
  return itemOf(of, !(of instanceof Map) && /^\d+$/.test(name) ? Number(name) : name, scope);
}

function itemOf(of: Data, key: Data, { budget }: Scope): Data {
  defined(of);
  const found = partOf(typeof of === "string" ? characters(budget.weigh(of)) : of, key);
  return found === undefined ? new Undefined(typeof key === "string" ? key : "item") : found;
}

/** Undefined for a value that cannot be a key. */
function partOf(of: Data | readonly string[], key: Data): Data | undefined {
  if (of instanceof Namespace) return typeof key === "string" ? of.members.get(key) : undefined;
  if (of instanceof Map) return isKey(key) ? of.get(keyOf(key)) : undefined;
  return isList(of) && (typeof key === "number" || typeof key === "boolean") ? of.at(Number(key)) : undefined;
}

/** The characters of a text, as Python counts them. */
function characters(text: string): readonly string[] {
  return [...text];
}

function sliceOf(budget: Budget, of: Data, ...places: readonly (Data | undefined)[]): Data {
  if (typeof of !== "string" && !isList(of)) throw new TemplateError(`${typeName(of)} has no parts`);
  const [from, to, step = 1] = places.map((place) => (place === null ? undefined : place));
  const isPlace = (place: Data | undefined) => place === undefined || typeof place === "number";
  if (!isPlace(from) || !isPlace(to) || typeof step !== "number" || step === 0)
    throw new TemplateError("a slice must begin and end at whole numbers");
  const parts = typeof of === "string" ? characters(of) : of;
  const { length } = parts;
  // Each part is picked individually, which takes longer than a visit.
  budget.step(Math.floor(length / PICKED_IN_STEP));
  const bound = (place: Data | undefined, otherwise: number, low: number, high: number) => {
    if (typeof place !== "number") return otherwise;
    return Math.max(low, Math.min(high, place < 0 ? place + length : place));
  };
  const picked: number[] = [];
  if (step > 0) for (let at = bound(from, 0, 0, length); at < bound(to, length, 0, length); at += step) picked.push(at);
  else
    for (let at = bound(from, length - 1, -1, length - 1); at > bound(to, -1, -1, length - 1); at += step)
      picked.push(at);
  const taken = picked.map((at) => parts[at] ?? null);
  return typeof of === "string" ? taken.join("") : taken;
}

function called(of: Data, args: Arguments): Data {
  defined(of);
  if (!(of instanceof Callable)) throw new TemplateError(`${typeName(of)} cannot be called`);
  return of.call(args);
}

function argumentsOf({ positional, named }: CallArguments, scope: Scope): Arguments {
  return {
    positional: positional.map((each) => scope.budget.weigh(evaluate(each, scope))),
    named: new Map(named.map(([name, each]) => [name, scope.budget.weigh(evaluate(each, scope))])),
    budget: scope.budget,
  };
}

/** The names of a template and their values: names that are set in an iteration of a loop end with that iteration, as in Jinja. */
export class Names {
  readonly #own: Map<string, Data>;
  readonly #outer: Names | undefined;

  constructor(own: Iterable<readonly [string, Data]>, outer?: Names) {
    this.#own = new Map(own);
    this.#outer = outer;
  }

  /** Undefined for a name without a value. */
  get(name: string): Data | undefined {
    const own = this.#own.get(name);
    return own === undefined ? this.#outer?.get(name) : own;
  }

  set(name: string, value: Data): void {
    this.#own.set(name, value);
  }
}
