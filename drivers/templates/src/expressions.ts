/** Parses expressions by Jinja's precedence: each function parses one level and calls the next tighter one for its operands. */
import type { BinaryOperator, CallArguments, CompareOperator, Comparison, Expression } from "./arithmetic.ts";
import { Float, TemplateError } from "./python-values.ts";
import type { Tokens } from "./tokens.ts";

/** @throws TemplateError */
export function parseExpression(tokens: Tokens): Expression {
  return tokens.inside(() => {
    const then = parseEither(tokens);
    if (!tokens.take("if")) return then;
    const condition = parseEither(tokens);
    const otherwise = tokens.take("else") ? parseExpression(tokens) : undefined;
    return { kind: "choice", condition, then, otherwise };
  });
}

/** Parses without an inline `if`, which would be the filter of a `for`. */
export function parseEither(tokens: Tokens): Expression {
  let left = parseBoth(tokens);
  while (tokens.take("or")) left = { kind: "either", left, right: parseBoth(tokens) };
  return left;
}

function parseBoth(tokens: Tokens): Expression {
  let left = parseNot(tokens);
  while (tokens.take("and")) left = { kind: "both", left, right: parseNot(tokens) };
  return left;
}

function parseNot(tokens: Tokens): Expression {
  if (tokens.is("not") && tokens.take("not"))
    return tokens.inside(() => ({ kind: "unary", operator: "not", of: parseNot(tokens) }));
  return parseComparison(tokens);
}

function parseComparison(tokens: Tokens): Expression {
  const first = parseSum(tokens);
  const rest: Comparison[] = [];
  for (;;) {
    const operator = compareOperator(tokens);
    if (!operator) return rest.length === 0 ? first : { kind: "compare", first, rest };
    rest.push({ operator, with: parseSum(tokens) });
  }
}

function compareOperator(tokens: Tokens): CompareOperator | undefined {
  if (tokens.is("not") && tokens.is("in", 1)) {
    tokens.take("not");
    tokens.take("in");
    return "not in";
  }
  return tokens.take("==", "!=", "<=", ">=", "<", ">", "in");
}

const LEFT_TO_RIGHT: readonly (readonly BinaryOperator[])[] = [["+", "-"], ["~"], ["*", "//", "/", "%"], ["**"]];

function parseSum(tokens: Tokens, level = 0): Expression {
  const operators = LEFT_TO_RIGHT[level];
  if (!operators) return parseUnary(tokens);
  let left = parseSum(tokens, level + 1);
  for (;;) {
    const operator = tokens.take(...operators);
    if (!operator) return left;
    left = { kind: "binary", operator, left, right: parseSum(tokens, level + 1) };
  }
}

/** A filter applies to a number with its sign: `-1 | abs` is 1. */
function parseUnary(tokens: Tokens): Expression {
  return withFilters(tokens, parseSigned(tokens));
}

function parseSigned(tokens: Tokens): Expression {
  const operator = tokens.take("-", "+");
  if (operator) return tokens.inside(() => ({ kind: "unary", operator, of: parseSigned(tokens) }));
  return parsePostfix(tokens, parsePrimary(tokens));
}

/** Parses filters and tests after an expression. */
function withFilters(tokens: Tokens, first: Expression): Expression {
  let of = first;
  for (;;) {
    if (tokens.take("|")) {
      const name = tokens.name();
      of = { kind: "filter", of, name, args: tokens.take("(") ? parseArguments(tokens) : NO_ARGUMENTS };
      of = parsePostfix(tokens, of);
    } else if (tokens.take("is")) {
      const isNot = tokens.take("not") !== undefined;
      const name = tokens.name();
      of = { kind: "test", of, name, args: testArguments(tokens), isNot };
    } else return of;
  }
}

const NO_ARGUMENTS: CallArguments = { positional: [], named: [] };
/** Words that continue the expression after a test, and are not the test's argument. */
const AFTER_TEST = ["and", "or", "not", "else", "if", "is", "in"];

/** `is divisibleby 3`, `is divisibleby(3)`. */
function testArguments(tokens: Tokens): CallArguments {
  if (tokens.take("(")) return parseArguments(tokens);
  if (tokens.isAtEnd || AFTER_TEST.some((word) => tokens.is(word)) || CLOSING.some((sign) => tokens.is(sign)))
    return NO_ARGUMENTS;
  return { positional: [parsePostfix(tokens, parsePrimary(tokens))], named: [] };
}

const CLOSING = [
  ")",
  "]",
  "}",
  ",",
  ":",
  "|",
  "~",
  "+",
  "-",
  "*",
  "/",
  "//",
  "%",
  "**",
  "=",
  "==",
  "!=",
  "<",
  ">",
  "<=",
  ">=",
];

function parsePostfix(tokens: Tokens, first: Expression): Expression {
  let of = first;
  for (;;) {
    if (tokens.take(".")) of = { kind: "member", of, name: memberName(tokens) };
    else if (tokens.take("[")) of = parseSubscript(tokens, of);
    else if (tokens.take("(")) of = { kind: "call", of, args: parseArguments(tokens) };
    else return of;
  }
}

/** A name, or an index of a list: `value_json.list.0`. */
function memberName(tokens: Tokens): string {
  const token = tokens.next();
  if (token.kind === "name") return token.text;
  if (token.kind === "number" && !token.isFloat) return String(token.value);
  throw new TemplateError("a name is missing after the point");
}

function parseSubscript(tokens: Tokens, of: Expression): Expression {
  return tokens.inside(() => {
    const from = tokens.is(":") ? undefined : parseExpression(tokens);
    if (from && tokens.take("]")) return { kind: "item", of, key: from };
    tokens.expect(":");
    const to = tokens.is(":") || tokens.is("]") ? undefined : parseExpression(tokens);
    const step = tokens.take(":") && !tokens.is("]") ? parseExpression(tokens) : undefined;
    tokens.expect("]");
    return { kind: "slice", of, from, to, step };
  });
}

function parseArguments(tokens: Tokens): CallArguments {
  const positional: Expression[] = [];
  const named: (readonly [string, Expression])[] = [];
  while (!tokens.take(")")) {
    if (tokens.is("=", 1)) {
      const name = tokens.name();
      tokens.expect("=");
      named.push([name, parseExpression(tokens)]);
    } else positional.push(parseExpression(tokens));
    if (!tokens.is(")")) tokens.expect(",");
  }
  return { positional, named };
}

const CONSTANTS: Readonly<Record<string, boolean | null>> = {
  ...{ true: true, True: true, false: false, False: false, none: null, None: null },
};

/** Whether the word is a constant, and no name. */
export function isConstant(word: string): boolean {
  return Object.hasOwn(CONSTANTS, word);
}

function parsePrimary(tokens: Tokens): Expression {
  const token = tokens.next();
  switch (token.kind) {
    case "string":
      return { kind: "literal", value: token.value + followingStrings(tokens) };
    case "number":
      return { kind: "literal", value: token.isFloat ? new Float(token.value) : token.value };
    case "name": {
      const constant = isConstant(token.text) ? CONSTANTS[token.text] : undefined;
      return constant === undefined ? { kind: "name", name: token.text } : { kind: "literal", value: constant };
    }
    case "operator":
      return tokens.inside(() => parseBracket(tokens, token.text));
  }
}

/** Joins adjacent string literals. */
function followingStrings(tokens: Tokens): string {
  let text = "";
  for (let more = tokens.string(); more !== undefined; more = tokens.string()) text += more;
  return text;
}

function parseBracket(tokens: Tokens, open: string): Expression {
  if (open === "[") return { kind: "list", items: parseItems(tokens, "]").items };
  if (open === "{") return parseDict(tokens);
  if (open !== "(") throw new TemplateError(`${open} is not allowed here`);
  const { items, hasComma } = parseItems(tokens, ")");
  const [only] = items;
  return only && !hasComma ? only : { kind: "list", items };
}

function parseItems(tokens: Tokens, closing: string) {
  const items: Expression[] = [];
  let hasComma = false;
  while (!tokens.take(closing)) {
    items.push(parseExpression(tokens));
    if (tokens.take(",")) hasComma = true;
    else if (!tokens.is(closing)) tokens.expect(",");
  }
  return { items, hasComma };
}

function parseDict(tokens: Tokens): Expression {
  const entries: (readonly [Expression, Expression])[] = [];
  while (!tokens.take("}")) {
    const key = parseExpression(tokens);
    tokens.expect(":");
    entries.push([key, parseExpression(tokens)]);
    if (!tokens.is("}")) tokens.expect(",");
  }
  return { kind: "dict", entries };
}
