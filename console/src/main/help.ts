/** Help, built from the command values: examples first, and no wider than the terminal. */
import { wrapped } from "../render/wrap.ts";
import type { Option, Parameter } from "../session/args.ts";
import { type Action, type Command, type Entry, GLOBAL_OPTIONS, SECTIONS } from "../session/command.ts";
import { EXIT, EXIT_MEANINGS, type ExitName } from "../session/failure.ts";

const PROGRAM = "porchlight";

export function rootHelp(entries: readonly Entry[], width: number): string {
  const longest = Math.max(...entries.map(({ name }) => name.length));
  const sections = SECTIONS.map((section) => {
    const rows = entries.filter((entry) => entry.section === section).map(({ name, summary }) => [name, summary]);
    return rows.length === 0 ? [] : [section, ...columns(rows, width, longest), ""];
  });
  return lines([
    "The Porchlight console does everything that the API can do, from a terminal and from scripts.",
    "",
    `Usage: ${PROGRAM} COMMAND …`,
    "",
    ...sections.flat(),
    ...optionLines("Options", GLOBAL_OPTIONS, width),
    `\`${PROGRAM} help COMMAND\` shows a command's help; \`${PROGRAM} help references\`, \`help scripting\` and`,
    "`help exit-statuses` explain what applies to all of them.",
  ]);
}

export function nounHelp(noun: Entry, commands: readonly Command[], width: number): string {
  const rows = commands.map((command) => [[command.name, ...words(command)].join(" "), command.summary]);
  return lines([
    `${noun.summary}.`,
    "",
    `Usage: ${PROGRAM} ${noun.name} COMMAND …`,
    "",
    "Commands",
    ...columns(rows, width),
    "",
    "Examples",
    ...commands.flatMap(({ examples }) => examples.slice(0, 1)).map((example) => `  ${example}`),
    "",
    `\`${PROGRAM} help ${noun.name} COMMAND\` shows more.`,
  ]);
}

/** @param path the words of the command */
export function commandHelp(path: string, summary: string, action: Action, width: number): string {
  const { parameters = [], options = [], examples, notes = [] } = action;
  const usage = [PROGRAM, path, ...words(action), ...(options.length > 0 ? ["[OPTIONS]"] : [])].join(" ");
  return lines([
    `${summary}.`,
    "",
    `Usage: ${usage}`,
    "",
    "Examples",
    ...examples.map((example) => `  ${example}`),
    "",
    ...section(
      "Parameters",
      parameters.map(({ name, summary }) => [name, summary]),
      width,
    ),
    ...optionLines("Options", options, width),
    ...notes.flatMap((note) => [...wrapped(note, width), ""]),
    `Global options: ${GLOBAL_OPTIONS.map(({ name }) => `--${name}`).join(" ")}`,
  ]);
}

/** The table of exit statuses. */
export function exitStatusHelp(width: number): string {
  const rows = Object.entries(EXIT).map(([name, status]) => [String(status), EXIT_MEANINGS[name as ExitName]]);
  return lines(["Exit statuses of every command", ...columns(rows, width)]);
}

/** Parameters in the notation of the usage line. */
export function words({ parameters = [] }: Pick<Action, "parameters">): string[] {
  return parameters.map(({ name, isOptional, isRest }: Parameter) => {
    const word = isRest ? `${name}…` : name;
    return isOptional ? `[${word}]` : word;
  });
}

/** An option in the notation of help: `-q, --query KEY=VALUE`. */
export function optionText({ name, short, value }: Option): string {
  return `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
}

function optionLines(heading: string, options: readonly Option[], width: number): string[] {
  const description = ({ summary, isRepeatable, isRequired }: Option) =>
    `${summary}${isRepeatable ? "; can be repeated" : ""}${isRequired ? " (required)" : ""}`;
  return section(
    heading,
    options.map((option) => [optionText(option), description(option)]),
    width,
  );
}

function section(heading: string, rows: readonly (readonly string[])[], width: number): string[] {
  return rows.length === 0 ? [] : [heading, ...columns(rows, width), ""];
}

/** Two columns; without enough room, the second goes below the first. @param longest width of the first column */
function columns(
  rows: readonly (readonly string[])[],
  width: number,
  longest = Math.max(...rows.map(([left = ""]) => left.length)),
): string[] {
  const indent = Math.min(longest + 4, 30);
  return rows.flatMap(([left = "", right = ""]) => {
    const [first = "", ...rest] = wrapped(right, width - indent);
    const more = rest.map((line) => " ".repeat(indent) + line);
    return left.length + 3 > indent
      ? [`  ${left}`, " ".repeat(indent) + first, ...more]
      : [`  ${left}`.padEnd(indent) + first, ...more];
  });
}

function lines(all: readonly string[]): string {
  return `${all.join("\n").trimEnd()}\n`;
}
