/** Patterns of strangers: only those that cannot take long on the text that they are asked of. */
import { checkLength } from "./budget.ts";
import { pathsOf } from "./pattern-paths.ts";
import { type Spending, TemplateError } from "./python-values.ts";

const LONGEST = 200;
/** Most steps of matching that a pattern may take, as an estimate from above: some 20 ms. */
const MOST_WORK = 10_000_000;
const WORK_OF_STEP = 2000;

export interface PatternUse {
  /** The match must begin where the text does. */
  readonly isAnchored: boolean;
  readonly ignoresCase: boolean;
  /** Of the text, characters. */
  readonly length: number;
  readonly budget: Pick<Spending, "step">;
}

/** @throws TemplateError for a pattern that is too long, makes no sense here, or could take long */
export function safeRegExp(pattern: string, { isAnchored, ignoresCase, length, budget }: PatternUse): RegExp {
  if (pattern.length > LONGEST) throw new TemplateError("the pattern is too long");
  const starts = isAnchored || /^(?:\^|\\A)/.test(pattern) ? 1 : length + 1;
  const work = starts * pathsOf(pattern, length) * (pattern.length + 1);
  if (!(work <= MOST_WORK)) throw new TemplateError("the pattern could take long");
  budget.step(Math.ceil(work / WORK_OF_STEP));
  try {
    const source = inJavaScript(pattern);
    return new RegExp(isAnchored ? `^(?:${source})` : source, ignoresCase ? "gi" : "g");
  } catch {
    throw new TemplateError("the pattern is not valid");
  }
}

/** What Python writes otherwise. @throws Error for what JavaScript would understand as something else */
function inJavaScript(pattern: string): string {
  return pattern.replace(/\\[\s\S]|\[\^?\]|\(\?P<|\{,/g, (part) => {
    if (part === "\\A") return "^";
    if (part === "\\Z") return "$";
    if (part === "(?P<") return "(?<";
    if (part.startsWith("\\")) return part;
    throw new TemplateError(`${part} means something else`);
  });
}

/** Every match replaced; `\1`, `\g<1>` and `\g<name>` stand for what its groups matched. @throws TemplateError */
export function replacedMatches(text: string, expression: RegExp, by: string): string {
  let length = text.length;
  return text.replace(expression, (whole: string, ...rest: readonly unknown[]) => {
    const named = rest.at(-1);
    const groups = rest.slice(
      0,
      rest.findLastIndex((each) => typeof each === "number"),
    );
    const written = expanded(by, (name) => {
      if (name === "0") return whole;
      const isNumber = /^\d+$/.test(name);
      const found = isNumber ? groups[Number(name) - 1] : memberOf(named, name);
      const isGroup = isNumber ? Number(name) <= groups.length : found !== NO_MEMBER;
      if (!isGroup) throw new TemplateError(`the pattern has no group ${name}`);
      return typeof found === "string" ? found : "";
    });
    length += written.length - whole.length;
    checkLength(length);
    return written;
  });
}

const NO_MEMBER = Symbol("no member");

function memberOf(groups: unknown, name: string): unknown {
  const isThere = typeof groups === "object" && groups !== null && Object.hasOwn(groups, name);
  return isThere ? Reflect.get(groups, name) : NO_MEMBER;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\\": "\\" };

function expanded(by: string, groupOf: (name: string) => string): string {
  return by.replace(/\\(?:g<(\w+)>|([1-9]\d?)|([\s\S]))/g, (part, name, number, character) => {
    const group: unknown = name ?? number;
    return typeof group === "string" ? groupOf(group) : (ESCAPES[character] ?? part);
  });
}
