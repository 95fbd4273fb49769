/**
 * Loads settings from file, environment and flags, in ascending precedence, parses them with one schema, and reports all problems at
 * once.
 */
import { z } from "zod";
import { readSettingsFile } from "./file.ts";
import {
  coerce,
  fileVariableOf,
  flagOf,
  isGroup,
  isSecretSetting,
  isSecretText,
  parsedFlagOf,
  variableOf,
} from "./notes.ts";
import { SettingsError, type SettingsProblem, secretFiles } from "./secret-files.ts";

export interface SettingsSources {
  /** The program's name, for messages. */
  readonly program: string;
  /** YAML file (`--config`); when omitted, the file that `PORCHLIGHT_CONFIG` names, else none. */
  readonly file?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Flags under their camelCase keys, as commander returns them; undefined means absent, and a key that the schema does not have is
   * ignored.
   */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Called with a sentence about a setting that is accepted but unsafe. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** A value with the name of its source. */
interface Given {
  readonly value: unknown;
  readonly source: (path: readonly PropertyKey[]) => string;
}

/**
 * The settings of a program. Variables of other programs are ignored: one environment serves several programs.
 * @throws SettingsError with every unknown key of the file and every invalid value, each with its source
 */
export function loadSettings<S extends z.ZodObject>(schema: S, sources: SettingsSources): z.output<S> {
  const problems: SettingsProblem[] = [];
  const chosen: Record<string, unknown> = {};
  const givenBy = new Map<string, Given>();
  const name = sources.file ?? sources.env[variableOf("config")];
  const file = name ? readSettingsFile(name, schema) : undefined;
  problems.push(...(file?.problems ?? []));

  for (const [key, field] of Object.entries(schema.shape)) {
    const given: Given[] = [];
    if (file?.values.has(key)) given.push({ value: file.values.get(key), source: file.source });
    const environment = environmentOf(key, field, sources.env);
    problems.push(...environment.problems);
    for (const { text, source } of environment.texts) given.push({ value: coerce(field, text), source: () => source });
    const flag = Object.hasOwn(sources.flags, parsedFlagOf(key)) ? sources.flags[parsedFlagOf(key)] : undefined;
    if (typeof flag === "string" && isSecretText(field, flag)) sources.warn?.(secretFlag(key));
    const value = typeof flag === "string" ? coerce(field, flag) : flag;
    if (flag !== undefined) given.push({ value, source: () => flagOf(key) });

    const winner = given.pop();
    if (winner) {
      chosen[key] = winner.value;
      givenBy.set(key, winner);
    }
    for (const overridden of given) {
      const issues = z.safeParse(field, overridden.value).error?.issues ?? [];
      problems.push(...issues.map((issue) => problem([key, ...issue.path], issue, overridden)));
    }
  }

  const parsed = z.safeParse(schema, chosen);
  if (parsed.error) {
    for (const issue of parsed.error.issues) {
      const [key = ""] = issue.path;
      const given = givenBy.get(String(key));
      if (given) problems.push(problem(issue.path, issue, given));
      else problems.push({ source: sources.program, key: issue.path.join("."), message: absent(String(key), issue) });
    }
  }
  if (!parsed.success || problems.length > 0) throw new SettingsError(sources.program, problems);
  return parsed.data;
}

/** A setting's value from the environment: the text of its variable, or for a secret also of its files. Only one of them is allowed. */
function environmentOf(key: string, field: z.core.$ZodType, env: SettingsSources["env"]) {
  const variable = isGroup(field) ? undefined : env[variableOf(key)];
  const texts = variable === undefined ? [] : [{ text: variable, source: variableOf(key) }];
  if (isGroup(field) || !isSecretSetting(field)) return { texts, problems: [] };
  const files = secretFiles(key, env);
  texts.push(...files.texts);
  const [first, ...others] = [variable === undefined ? [] : [variableOf(key)], files.sources].flat();
  const twice = others.map((source) => ({ source, key, message: `\`${key}\` is given twice: also by ${first}` }));
  return { texts, problems: [...files.problems, ...twice] };
}

function secretFlag(key: string): string {
  return `${flagOf(key)} holds a secret, and other users of this machine can see the command line: give ${variableOf(key)}, ${fileVariableOf(key)} or \`${key}\` in the file`;
}

function problem(path: readonly PropertyKey[], issue: z.core.$ZodIssue, given: Given): SettingsProblem {
  const key = path.join(".");
  return { source: given.source(path), key, message: `\`${key}\` ${sentence(issue)}` };
}

function absent(key: string, issue: z.core.$ZodIssue): string {
  if (key === "") return issue.message;
  if (issue.code === "custom") return `\`${key}\` ${sentence(issue)}`;
  return `\`${key}\` is missing: give ${flagOf(key)}, ${variableOf(key)} or \`${key}\` in the file`;
}

type Issue = z.core.$ZodIssue;

/**
 * Turns an issue of the schema library into the end of a sentence: `must be a whole number`; for a union, the forms that its branches
 * accept.
 */
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
  // The schema's own message is more specific.
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
