/** Builds commander's command line from the table: a noun's module is loaded when the command line names the noun. */
import { Command as Parser, Option as ParserOption } from "commander";
import { Args, checkOption, type Option } from "../session/args.ts";
import {
  type Action,
  type Command,
  type Entry,
  GLOBAL_OPTIONS,
  type GlobalOptions,
  isNoun,
} from "../session/command.ts";
import { commandHelp, nounHelp, optionText, rootHelp, words } from "./help.ts";

/** Global options that the parser itself provides. */
const OF_THE_PARSER: readonly string[] = ["version", "help"];

/** The command to run. */
interface Chosen {
  readonly action: Action;
  readonly args: Args;
  /** Options that were given by a former name. */
  readonly renamed: readonly { readonly former: string; readonly name: string }[];
}

interface Reading {
  readonly entries: readonly Entry[];
  readonly version: string;
  /** Width of the terminal, columns. */
  readonly width: number;
  /** Receives help and version. */
  readonly out: (text: string) => void;
  /** Receives the help of a noun without a verb. */
  readonly err: (text: string) => void;
}

/** A parsed command line: the command and the options, even of an invalid line. */
interface CommandLine {
  /** @throws CommanderError, also after help and version; UsageError */
  read(argv: readonly string[]): Promise<Chosen | undefined>;
  readonly options: GlobalOptions;
}

export function commandLine(reading: Reading): CommandLine {
  const { entries, version, width, out, err } = reading;
  let chosen: Chosen | undefined;
  const choose = (next: Chosen) => {
    chosen = next;
  };
  const root = new Parser("porchlight")
    .exitOverride()
    .helpCommand(false)
    .configureOutput({ writeOut: out, writeErr: err, outputError: () => undefined })
    .configureHelp({ formatHelp: () => rootHelp(entries, width) })
    .version(version, "--version");
  for (const option of GLOBAL_OPTIONS) if (!OF_THE_PARSER.includes(option.name)) root.option(parserText(option));
  for (const entry of entries) root.addCommand(new Parser(entry.name).copyInheritedSettings(root).helpCommand(false));
  root.hook("preSubcommand", async (_root, parser) => {
    const entry = entries.find(({ name }) => name === parser.name());
    if (entry) fill(parser, entry, await entry.load(), width, choose);
  });
  return {
    async read(argv: readonly string[]): Promise<Chosen | undefined> {
      await root.parseAsync([...argv], { from: "user" });
      return chosen;
    },
    get options(): GlobalOptions {
      const { json, profile, apiUrl, color, debug } = root.opts();
      return { json: json === true, colour: color !== false, debug: debug === true, profile, apiUrl };
    },
  };
}

function fill(
  parser: Parser,
  entry: Entry,
  loaded: Action | readonly Command[],
  width: number,
  choose: (chosen: Chosen) => void,
): void {
  if (!isNoun(loaded)) {
    complete(parser, entry.name, entry.summary, loaded, width, choose);
    return;
  }
  parser.configureHelp({ formatHelp: () => nounHelp(entry, loaded, width) });
  for (const command of loaded) {
    const verb = new Parser(command.name).copyInheritedSettings(parser).helpCommand(false);
    complete(verb, `${entry.name} ${command.name}`, command.summary, command, width, choose);
    parser.addCommand(verb);
  }
}

function complete(
  parser: Parser,
  path: string,
  summary: string,
  action: Action,
  width: number,
  choose: (chosen: Chosen) => void,
): void {
  parser.configureHelp({ formatHelp: () => commandHelp(path, summary, action, width) });
  for (const word of words(action))
    parser.argument(word.startsWith("[") ? word.replace("…", "...") : `<${word.replace("…", "...")}>`);
  for (const option of action.options ?? []) {
    parser.addOption(parserOption(option));
    for (const name of option.formerNames ?? []) parser.addOption(parserOption({ ...option, name }).hideHelp());
  }
  parser.action((...given: unknown[]) => {
    // Commander passes the words first, then the options by names that it derives, and then itself.
    const options = Object.fromEntries((action.options ?? []).map((option) => [option.name, wholeOf(parser, option)]));
    const renamed = (action.options ?? []).flatMap(({ name, formerNames = [] }) =>
      formerNames.flatMap((former) => (givenTo(parser, former) === undefined ? [] : [{ former, name }])),
    );
    choose({ action, args: new Args(action.parameters ?? [], given, options), renamed });
  });
}

/** The values of an option under its current and former names. */
function wholeOf(parser: Parser, { name, formerNames = [] }: Option): unknown {
  const given = [name, ...formerNames].map((each) => givenTo(parser, each)).filter((each) => each !== undefined);
  return given.every(Array.isArray) && given.length > 0 ? given.flat() : given[0];
}

function givenTo(parser: Parser, name: string): unknown {
  const option = parser.options.find(({ long }) => long === `--${name}`);
  return option && parser.getOptionValue(option.attributeName());
}

/** An option in the parser's notation: `-q, --query <KEY=VALUE>`. */
function parserText(option: Option): string {
  return optionText({ ...option, ...(option.value && { value: `<${option.value}>` }) });
}

function parserOption(option: Option): ParserOption {
  const { name, value, isRepeatable, isRequired } = option;
  const made = new ParserOption(parserText(option), option.summary);
  if (isRequired) made.makeOptionMandatory();
  // `--no-…` is not a negation here, but a flag like any other.
  if (name.startsWith("no-")) made.negate = false;
  if (value === undefined) return made;
  return made.argParser((text: string, before: readonly string[] | undefined) => {
    checkOption(option, text);
    return isRepeatable ? [...(before ?? []), text] : [text];
  });
}
