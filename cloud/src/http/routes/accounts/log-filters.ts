/** Query parameters that say which entries of a log are wanted. */
import { parseTime } from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";

/** Wall clock, ms. @throws "Query Parameter Invalid" */
export function readLogTime(name: "since" | "until", text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = parseTime(text);
  if (time === undefined)
    throw new NamedError("Query Parameter Invalid", `\`${name}\` must be a time such as 2026-11-05 14:03:07Z.`);
  return time;
}

/** One HTTP status, or all of a class. @returns the least and the greatest @throws "Query Parameter Invalid" */
export function readStatuses(text: string | undefined): readonly [number, number] | undefined {
  if (text === undefined) return undefined;
  if (/^[1-5]xx$/.test(text)) return [Number(text[0]) * 100, Number(text[0]) * 100 + 99];
  if (/^[1-5]\d\d$/.test(text)) return [Number(text), Number(text)];
  throw new NamedError("Query Parameter Invalid", "`status` must be a number such as 404, or a class such as 4xx.");
}

/** A parameter that has a form. @param words what it is, for who gave another @throws "Query Parameter Invalid" */
export function readWord(name: string, text: string | undefined, form: RegExp, words: string): string | undefined {
  if (text === undefined || form.test(text)) return text;
  throw new NamedError("Query Parameter Invalid", `\`${name}\` is ${words}.`);
}
