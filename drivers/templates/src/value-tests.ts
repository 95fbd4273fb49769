/** Tests: the functions after `is`. */
import { defined, Given } from "./arguments.ts";
import { compare } from "./arithmetic.ts";
import { floatOf } from "./convert.ts";
import { textOf } from "./format.ts";
import {
  type Arguments,
  type Data,
  Float,
  isList,
  isSame,
  numberOf,
  TemplateError,
  Undefined,
} from "./python-values.ts";
import { type Pattern, patternOf } from "./regular-expressions.ts";

type Test = (of: Data, given: Given) => boolean;

const isInteger = (of: Data) => typeof of === "number";

const TESTS: ReadonlyMap<string, Test> = new Map(
  Object.entries<Test>({
    defined: (of) => !(of instanceof Undefined),
    undefined: (of) => of instanceof Undefined,
    none: (of) => of === null,
    number: (of) => isInteger(of) || of instanceof Float || typeof of === "boolean",
    integer: isInteger,
    float: (of) => of instanceof Float,
    boolean: (of) => typeof of === "boolean",
    true: (of) => of === true,
    false: (of) => of === false,
    string: (of) => typeof of === "string",
    mapping: (of) => of instanceof Map,
    sequence: hasItems,
    iterable: hasItems,
    list: (of) => isList(of),
    even: (of) => whole(of) % 2 === 0,
    odd: (of) => Math.abs(whole(of) % 2) === 1,
    divisibleby: (of, given) => {
      const by = whole(given.need(0));
      if (by === 0) throw new TemplateError("a number is divided by zero");
      return whole(of) % by === 0;
    },
    is_number: (of) => Number.isFinite(floatOf(defined(of))),
    match: (of, given) => pattern(given, true).test(textOf(of)),
    search: (of, given) => pattern(given, false).test(textOf(of)),
    eq: (of, given) => compare("==", of, given.need(0)),
    sameas: (of, given) => isSame(of, given.need(0)),
    equalto: (of, given) => compare("==", of, given.need(0)),
    ne: (of, given) => compare("!=", of, given.need(0)),
    lt: (of, given) => compare("<", of, given.need(0)),
    le: (of, given) => compare("<=", of, given.need(0)),
    gt: (of, given) => compare(">", of, given.need(0)),
    ge: (of, given) => compare(">=", of, given.need(0)),
    in: (of, given) => compare("in", of, given.need(0)),
    lower: (of) => textOf(of) === textOf(of).toLowerCase() && hasCase(textOf(of)),
    upper: (of) => textOf(of) === textOf(of).toUpperCase() && hasCase(textOf(of)),
  }),
);

/** An undefined value counts as an empty list. */
function hasItems(of: Data): boolean {
  return isList(of) || of instanceof Map || typeof of === "string" || of instanceof Undefined;
}

function hasCase(text: string): boolean {
  return text.toLowerCase() !== text.toUpperCase();
}

function pattern(given: Given, isAnchored: boolean): Pattern {
  const ignoresCase = given.flag(1, "ignorecase");
  return patternOf(given.text(0, "find", ""), { isAnchored, ignoresCase, budget: given.budget });
}

function whole(of: Data): number {
  const number = numberOf(defined(of));
  if (number === undefined) throw new TemplateError("this test takes a number");
  return number;
}

export function hasTest(name: string): boolean {
  return TESTS.has(name);
}

/** @throws TemplateError */
export function passesTest(name: string, of: Data, args: Arguments): boolean {
  const test = TESTS.get(name);
  if (!test) throw new TemplateError(`the test ${name} is not understood`);
  return test(of, new Given(name, args));
}
