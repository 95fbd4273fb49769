/** Tests: what stands behind `is`. */
import { defined, Given } from "./arguments.ts";
import { compare } from "./arithmetic.ts";
import { floatOf } from "./convert.ts";
import { type Arguments, type Data, Float, isList, numberOf, TemplateError, Undefined } from "./python-values.ts";

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
    sequence: (of) => isList(of) || of instanceof Map || typeof of === "string",
    iterable: (of) => isList(of) || of instanceof Map || typeof of === "string",
    list: (of) => isList(of),
    even: (of) => whole(of) % 2 === 0,
    odd: (of) => Math.abs(whole(of) % 2) === 1,
    divisibleby: (of, given) => whole(of) % whole(given.need(0)) === 0,
    is_number: (of) => floatOf(of) !== undefined,
    eq: (of, given) => compare("==", of, given.need(0)),
    sameas: (of, given) => compare("==", of, given.need(0)),
    equalto: (of, given) => compare("==", of, given.need(0)),
    ne: (of, given) => compare("!=", of, given.need(0)),
    lt: (of, given) => compare("<", of, given.need(0)),
    le: (of, given) => compare("<=", of, given.need(0)),
    gt: (of, given) => compare(">", of, given.need(0)),
    ge: (of, given) => compare(">=", of, given.need(0)),
    in: (of, given) => compare("in", of, given.need(0)),
    lower: (of) => typeof of === "string" && of === of.toLowerCase(),
    upper: (of) => typeof of === "string" && of === of.toUpperCase(),
  }),
);

function whole(of: Data): number {
  const number = numberOf(defined(of));
  if (number === undefined || !Number.isInteger(number)) throw new TemplateError("this test takes a whole number");
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
