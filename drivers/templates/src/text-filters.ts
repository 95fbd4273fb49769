/** Filters of texts: Jinja's, and those of Home Assistant with regular expressions. */
import { asText, type Filter, type Given } from "./arguments.ts";
import { boundedText, checkLength } from "./budget.ts";
import { formatted } from "./format.ts";
import { capitalized, replaced, split, stripped } from "./methods.ts";
import { textOf } from "./python-text.ts";
import { type Data, TemplateError, Undefined } from "./python-values.ts";
import { type Pattern, patternOf, replacedMatches } from "./regular-expressions.ts";

export const TEXT_FILTERS: Readonly<Record<string, Filter>> = {
  lower: (of) => textOf(of).toLowerCase(),
  upper: (of) => textOf(of).toUpperCase(),
  title: (of) =>
    textOf(of)
      .split(/([-\s({[<]+)/)
      .map(capitalized)
      .join(""),
  capitalize: (of) => capitalized(textOf(of)),
  trim: (of, given) => stripped(textOf(of), given.get(0, "chars"), true, true),
  replace: (of, given) =>
    replaced(textOf(of), textOf(given.need(0, "old")), textOf(given.need(1, "new")), given.get(2, "count")),
  truncate: (of, given) => truncated(of instanceof Undefined ? [] : [...asText("truncate", of)], given),
  format: (of, given) => boundedText(formatted(textOf(of), given.all)),
  split: (of, given) => split(asText("split", of), given),
  regex_match: (of, given) => pattern(given, { isAnchored: true, ignoresCase: 1 }).test(textOf(of)),
  regex_search: (of, given) => pattern(given, { ignoresCase: 1 }).test(textOf(of)),
  regex_replace: (of, given) =>
    replacedMatches(textOf(of), pattern(given, { ignoresCase: 2 }), given.text(1, "replace", "")),
  regex_findall: (of, given) => findings(textOf(of), pattern(given, { ignoresCase: 1 })),
  regex_findall_index: (of, given) => {
    const found = findings(textOf(of), pattern(given, { ignoresCase: 2 })).at(given.integer(1, "index", 0));
    if (found === undefined) throw new TemplateError("the pattern is not found");
    return found;
  },
};

/** @param ignoresCase the place of the argument that says whether case counts */
function pattern(given: Given, use: { readonly isAnchored?: boolean; readonly ignoresCase: number }): Pattern {
  return patternOf(given.text(0, "find", ""), {
    isAnchored: use.isAnchored ?? false,
    ignoresCase: given.flag(use.ignoresCase, "ignorecase"),
    budget: given.budget,
  });
}

/** As Python's `findall`: what the group matched; with several groups a list of them; without one the whole match. */
function findings(text: string, wanted: Pattern): Data[] {
  return [...wanted.matches(text)].map(({ whole, groups }) => {
    const parts = groups.map((part) => part ?? "");
    return parts.length > 1 ? parts : (parts[0] ?? whole);
  });
}

function truncated(characters: readonly string[], given: Given): string {
  const length = given.integer(0, "length", 255);
  const end = given.text(2, "end", "...");
  const room = length - [...end].length;
  if (room < 0) throw new TemplateError("truncate takes a length that its end fits into");
  if (characters.length <= length + given.integer(3, "leeway", 5)) return characters.join("");
  const cut = characters.slice(0, room).join("");
  const isWhole = given.flag(1, "killwords") || !cut.includes(" ");
  checkLength(cut.length + end.length);
  return (isWhole ? cut : cut.slice(0, cut.lastIndexOf(" "))) + end;
}
