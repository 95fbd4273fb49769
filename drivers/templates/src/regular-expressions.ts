/**
 * Runs strangers' patterns with RE2: its time is at most the size of its program times the length of the text, and is charged to the
 * budget in advance.
 */
import { RE2JS } from "re2js";
import { checkLength } from "./budget.ts";
import { inRe2, type Re2Pattern } from "./python-pattern.ts";
import { type CompiledPattern, type Spending, TemplateError } from "./python-values.ts";

const LONGEST = 200;
/** Instructions times characters in one step of the budget: some 5 µs, like other steps. */
const WORK_OF_STEP = 50;
/** Steps for compiling a pattern, and for each of its signs. */
const STEPS_TO_COMPILE = 20;
const STEPS_OF_SIGN = 2;
const MOST_KEPT = 16;

export interface PatternUse {
  /** The match must begin at the start of the text. */
  readonly isAnchored: boolean;
  readonly ignoresCase: boolean;
  readonly budget: Pick<Spending, "step" | "patterns">;
}

interface Match {
  readonly whole: string;
  readonly start: number;
  readonly end: number;
  /** Undefined for a group that did not take part in the match. */
  readonly groups: readonly (string | undefined)[];
}

export interface Pattern {
  /** @throws TemplateError when the budget is used up */
  test(text: string): boolean;
  /** All matches, like Python's `finditer`. @throws TemplateError when the budget is used up */
  matches(text: string): Iterable<Match>;
  readonly names: ReadonlyMap<string, number>;
}

/** @throws TemplateError as `readPattern` does */
export function patternOf(pattern: string, { isAnchored, ignoresCase, budget }: PatternUse): Pattern {
  const key = `${isAnchored}${ignoresCase}${pattern}`;
  const known = budget.patterns.get(key) ?? compiled(pattern, isAnchored, ignoresCase, budget);
  if (!budget.patterns.has(key) && budget.patterns.size >= MOST_KEPT) budget.patterns.clear();
  budget.patterns.set(key, known);
  const { expression, names } = known;
  const size = expression.programSize();
  /** Charges the maximum cost of a search from one position of a text. */
  const pay = (length: number) => budget.step(Math.ceil((size * (length + 1)) / WORK_OF_STEP));
  return {
    names,
    test: (text) => {
      pay(text.length);
      return expression.test(text);
    },
    matches: (text) => matchesOf(known, text, pay),
  };
}

/** @throws TemplateError for a pattern that is too long, is invalid, or has a feature that RE2 lacks */
export function readPattern(pattern: string): Re2Pattern {
  if (pattern.length > LONGEST) throw new TemplateError("the pattern is too long");
  return inRe2(pattern);
}

function compiled(
  pattern: string,
  isAnchored: boolean,
  ignoresCase: boolean,
  budget: PatternUse["budget"],
): CompiledPattern {
  const { source, names, signs } = readPattern(pattern);
  budget.step(STEPS_TO_COMPILE + STEPS_OF_SIGN * signs);
  try {
    const flags = ignoresCase ? RE2JS.CASE_INSENSITIVE : 0;
    const expression = RE2JS.compile(isAnchored ? `\\A(?:${source})` : source, flags);
    return { expression, names, reach: /[*+{]/.test(source) ? Number.POSITIVE_INFINITY : pattern.length };
  } catch {
    throw new TemplateError("the pattern is not valid");
  }
}

/**
 * Finds all matches. Each search is charged for the rest of the text, which it may have read to confirm a match, unless the pattern has no
 * repetition.
 */
function* matchesOf(
  { expression, reach }: CompiledPattern,
  text: string,
  pay: (length: number) => void,
): Iterable<Match> {
  const matcher = expression.matcher(text);
  const count = matcher.groupCount();
  let at = 0;
  while (at <= text.length) {
    const rest = text.length - at;
    if (reach > rest) pay(rest);
    if (!matcher.find(at)) {
      if (reach <= rest) pay(rest);
      return;
    }
    const [start, end] = [matcher.start(), matcher.end()];
    if (reach <= rest) pay(end - at + reach);
    // The positions of the groups are searched again, within the match.
    if (count > 0) pay(end - start);
    const groups = Array.from({ length: count }, (_, n) => matcher.group(n + 1) ?? undefined);
    yield { whole: text.slice(start, end), start, end, groups };
    at = end > start ? end : end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
  }
}

/** Replaces every match; `\1`, `\g<1>` and `\g<name>` stand for the matches of its groups. @throws TemplateError */
export function replacedMatches(text: string, pattern: Pattern, by: string): string {
  let length = text.length;
  let [written, at] = ["", 0];
  for (const { whole, start, end, groups } of pattern.matches(text)) {
    const replacement = expanded(by, (name) => {
      const number = /^\d+$/.test(name) ? Number(name) : pattern.names.get(name);
      if (number === undefined || number > groups.length) throw new TemplateError(`the pattern has no group ${name}`);
      return number === 0 ? whole : (groups[number - 1] ?? "");
    });
    length += replacement.length - whole.length;
    checkLength(length);
    written += text.slice(at, start) + replacement;
    at = end;
  }
  return written + text.slice(at);
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\\": "\\" };

function expanded(by: string, groupOf: (name: string) => string): string {
  if (!by.includes("\\")) return by;
  return by.replace(/\\(?:g<(\w+)>|([1-9]\d?)|([\s\S]))/g, (part, name, number, character) => {
    const group: unknown = name ?? number;
    return typeof group === "string" ? groupOf(group) : (ESCAPES[character] ?? part);
  });
}
