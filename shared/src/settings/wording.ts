/** What is wrong with a value, in the words of a person rather than of the schema library: the end of a sentence about a setting. */
import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** `is to be a whole number`; of a union, what each of its branches takes. */
export function sentence(issue: Issue): string {
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const branches = issue.errors.flatMap((errors) => errors.map(sentence));
    return [...new Set(branches)]
      .map((branch, at) => (at === 0 ? branch : branch.replace(/^is to be /, "")))
      .join(" or ");
  }
  return wording(issue) ?? issue.message.replace(/^Invalid (input|option): /, "is wrong: ");
}

function wording(issue: Issue): string | undefined {
  // A schema's own words, which know more.
  if (issue.message.startsWith("is ")) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `is to be ${TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `is to be \`${String(issue.values[0])}\``
        : `is to be one of ${issue.values.map((value) => `\`${String(value)}\``).join(", ")}`;
    case "too_small":
      if (issue.origin === "string") return "is not to be empty";
      return issue.origin === "number" || issue.origin === "int" ? `is to be at least ${issue.minimum}` : undefined;
    case "too_big":
      if (issue.origin === "number" || issue.origin === "int") return `is to be at most ${issue.maximum}`;
      return issue.origin === "string" ? `is to have at most ${issue.maximum} characters` : undefined;
    case "invalid_format":
      return issue.format === "url" ? "is to be an address such as https://home.example" : undefined;
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
