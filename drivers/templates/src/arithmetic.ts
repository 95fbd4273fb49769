/** Operators on values, with Python's semantics. */
import { boundedList, boundedText, checkLength, MOST_ITEMS } from "./budget.ts";
import { formatted, textOf } from "./format.ts";
import {
  type Data,
  Float,
  isEqual,
  isList,
  keyOf,
  numberOf,
  numeric,
  order,
  TemplateError,
  typeName,
  Undefined,
} from "./python-values.ts";

/** @throws TemplateError for operands that the operator does not accept */
export function binary(operator: BinaryOperator, left: Data, right: Data): Data {
  if (operator === "~") return boundedText(textOf(left) + textOf(right));
  if (operator === "%" && typeof left === "string")
    return boundedText(formatted(left, isList(right) ? right : [right]));
  if (operator === "+" && typeof left === "string" && typeof right === "string") return boundedText(left + right);
  if (operator === "+" && isList(left) && isList(right)) return boundedList([...left, ...right]);
  if (operator === "*") {
    const repeated = repetition(left, right) ?? repetition(right, left);
    if (repeated !== undefined) return repeated;
  }
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a === undefined || b === undefined)
    throw new TemplateError(`${operator} does not take ${typeName(left)} and ${typeName(right)}`);
  return calculated(operator, a, b, left, right);
}

function calculated(operator: Exclude<BinaryOperator, "~">, a: number, b: number, left: Data, right: Data): Data {
  switch (operator) {
    case "+":
      return numeric(a + b, left, right);
    case "-":
      return numeric(a - b, left, right);
    case "*":
      return numeric(a * b, left, right);
    case "/":
      return new Float(a / nonZero(b));
    case "//":
      return numeric(Math.floor(a / nonZero(b)), left, right);
    case "%": {
      // The remainder has the sign of the divisor, as in Python.
      const rest = a % nonZero(b);
      if (rest === 0) return numeric(b < 0 ? -0 : 0, left, right);
      return numeric(rest < 0 !== b < 0 ? rest + b : rest, left, right);
    }
    case "**": {
      const result = a ** b;
      if (!Number.isFinite(result)) throw new TemplateError("the number is too large");
      return b < 0 ? new Float(result) : numeric(result, left, right);
    }
  }
}

function nonZero(divisor: number): number {
  if (divisor === 0) throw new TemplateError("a number is divided by zero");
  return divisor;
}

function repetition(of: Data, times: Data): Data | undefined {
  if (typeof times !== "number" && typeof times !== "boolean") return undefined;
  if (typeof of !== "string" && !isList(of)) return undefined;
  const count = of.length === 0 ? 0 : Math.max(0, Number(times));
  if (typeof of === "string") {
    checkLength(of.length * count);
    return of.repeat(count);
  }
  if (of.length * count > MOST_ITEMS) throw new TemplateError("the repetition is too long");
  return Array.from({ length: count }, () => of).flat();
}

/** @throws TemplateError for values without an order, and for values that are no containers */
export function compare(operator: CompareOperator, left: Data, right: Data): boolean {
  switch (operator) {
    case "==":
      return isEqual(left, right);
    case "!=":
      return !isEqual(left, right);
    case "in":
      return holds(right, left);
    case "not in":
      return !holds(right, left);
    case "<":
      return order(left, right) < 0;
    case "<=":
      return order(left, right) <= 0;
    case ">":
      return order(left, right) > 0;
    case ">=":
      return order(left, right) >= 0;
  }
}

function holds(whole: Data, part: Data): boolean {
  if (isList(whole)) return whole.some((each) => isEqual(each, part));
  if (whole instanceof Map) return !(part instanceof Undefined) && whole.has(keyOf(part));
  if (typeof whole === "string" && typeof part === "string") return whole.includes(part);
  if (whole instanceof Undefined) return false;
  throw new TemplateError(`${typeName(part)} cannot be in ${typeName(whole)}`);
}

/** The syntax tree of a parsed template. */
export type Expression =
  | { readonly kind: "literal"; readonly value: Data }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | { readonly kind: "dict"; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly kind: "member"; readonly of: Expression; readonly name: string }
  | { readonly kind: "item"; readonly of: Expression; readonly key: Expression }
  | {
      readonly kind: "slice";
      readonly of: Expression;
      readonly from: Expression | undefined;
      readonly to: Expression | undefined;
      readonly step: Expression | undefined;
    }
  | { readonly kind: "call"; readonly of: Expression; readonly args: CallArguments }
  | { readonly kind: "filter"; readonly of: Expression; readonly name: string; readonly args: CallArguments }
  | {
      readonly kind: "test";
      readonly of: Expression;
      readonly name: string;
      readonly args: CallArguments;
      readonly isNot: boolean;
    }
  | { readonly kind: "unary"; readonly operator: "-" | "+" | "not"; readonly of: Expression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "both" | "either"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "compare"; readonly first: Expression; readonly rest: readonly Comparison[] }
  | {
      readonly kind: "choice";
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression | undefined;
    };

export type BinaryOperator = "+" | "-" | "*" | "/" | "//" | "%" | "**" | "~";
export type CompareOperator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in";

export interface Comparison {
  readonly operator: CompareOperator;
  readonly with: Expression;
}

export interface CallArguments {
  readonly positional: readonly Expression[];
  readonly named: readonly (readonly [string, Expression])[];
}

export type Statement =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "write"; readonly value: Expression }
  | { readonly kind: "set"; readonly names: readonly string[]; readonly value: Expression }
  /** The value is the text that the body renders. */
  | { readonly kind: "setBlock"; readonly name: string; readonly body: readonly Statement[] }
  /** A member of a `namespace`. */
  | { readonly kind: "setMember"; readonly of: string; readonly name: string; readonly value: Expression }
  | { readonly kind: "if"; readonly branches: readonly Branch[]; readonly otherwise: readonly Statement[] }
  | {
      readonly kind: "for";
      readonly names: readonly string[];
      readonly in: Expression;
      readonly only: Expression | undefined;
      readonly body: readonly Statement[];
      readonly otherwise: readonly Statement[];
    };

export interface Branch {
  readonly condition: Expression;
  readonly body: readonly Statement[];
}
