/** Patterns of strangers: only those that cannot take long. */
import { TemplateError } from "./python-values.ts";

const LONGEST = 200;
/** A repetition of something that is repeated itself: the time can double with each character. */
const NESTED_REPETITION = /[*+}?]\s*\)\s*[*+{]|\)\s*[*+{][^)]*\)\s*[*+{]/;
/** A repeated choice can be as bad. */
const REPEATED_CHOICE = /\([^()]*\|[^()]*\)\s*[*+{]/;

/** @throws TemplateError for a pattern that is too long, makes no sense here, or could take long */
export function safeRegExp(pattern: string, flags: string): RegExp {
  if (pattern.length > LONGEST) throw new TemplateError("the pattern is too long");
  if (NESTED_REPETITION.test(pattern) || REPEATED_CHOICE.test(pattern) || /\\[1-9]/.test(pattern))
    throw new TemplateError("the pattern could take long");
  if ((pattern.match(/[*+]|\{\d*,/g)?.length ?? 0) > 3) throw new TemplateError("the pattern repeats too much");
  try {
    return new RegExp(pattern.replaceAll("(?P<", "(?<"), flags);
  } catch {
    throw new TemplateError("the pattern makes no sense");
  }
}
