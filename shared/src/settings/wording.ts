/** What is wrong with a value, in the words of a person rather than of the schema library: the end of a sentence about a setting. */
import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** `must be a whole number`; of a union, what each of its branches takes. */
export function sentence(issue: Issue): string {
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const branches = issue.errors.flatMap((errors) => errors.map(sentence));
    return [...new Set(branches)]
      .map((branch, at) => (at === 0 ? branch : branch.replace(/^must be /, "")))
      .join(" or ");
  }
  return wording(issue) ?? issue.message.replace(/^Invalid (input|option): /, "is wrong: ");
}

function wording(issue: Issue): string | undefined {
  // A schema's own words, which know more.
  if (/^(is|must) /.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `must be \`${String(issue.values[0])}\``
        : `must be one of ${issue.values.map((value) => `\`${String(value)}\``).join(", ")}`;
    case "too_small":
      if (issue.origin === "string" || issue.origin === "array") return "must not be empty";
      if (issue.origin !== "number" && issue.origin !== "int") return undefined;
      return `must be ${issue.inclusive === false ? "above" : "at least"} ${issue.minimum}`;
    case "too_big":
      if (issue.origin === "number" || issue.origin === "int") return `must be at most ${issue.maximum}`;
      return issue.origin === "string" ? `must have at most ${issue.maximum} characters` : undefined;
    case "invalid_format":
      return issue.format === "url" ? "must be an address such as https://home.example" : undefined;
    default:
      return undefined;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  number: "a number",
  int: "a whole number",
  boolean: "`true` or `false`",
  string: "a text",
  array: "a list",
  object: "a group of `key: value` lines",
};
