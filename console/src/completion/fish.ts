/** Completion for fish, which evaluates a condition for each line. */
import { type Entry, isNoun, type Option } from "../session/command.ts";
import { GLOBAL_OPTIONS } from "../session/global-options.ts";

export function fishCompletion(paths: readonly Path[]): string {
  const nouns = new Set(paths.filter(({ path }) => path.includes(" ")).map(({ path }) => path.split(" ")[0] ?? ""));
  const lines = paths.flatMap((path) => [...wordLines(path), ...optionLines(path, nouns)]);
  return `# Completion of porchlight for fish: porchlight completion fish > ~/.config/fish/completions/porchlight.fish
function __porchlight_words
  # Words that are no options, without the program.
  set -l words (commandline -opc)
  set -e words[1]
  string match -v -- '-*' $words
end
function __porchlight_at
  # Whether the line stands at that command; without one, at none.
  set -l words (__porchlight_words)
  if test (count $argv) -eq 0
    test (count $words) -eq 0
  else
    string match -q -- "$argv *" "$words "
  end
end
function __porchlight_verb
  # Whether a verb of that noun is to come.
  set -l words (__porchlight_words)
  test (count $words) -eq 1; and test "$words[1]" = $argv[1]
end
complete -c porchlight -f
${lines.join("\n")}
`;
}

function wordLines({ path, words }: Path): string[] {
  const condition = path === "" ? "__porchlight_at" : `__porchlight_verb ${path}`;
  return words.map(
    ({ word, summary }) => `complete -c porchlight -n ${quoted(condition)} -a ${quoted(word)} -d ${quoted(summary)}`,
  );
}

function optionLines(path: Path, nouns: ReadonlySet<string>): string[] {
  // Before its verb, a noun takes only the options of all commands, which belong to the program.
  const options = path.path === "" ? allOptions(path) : nouns.has(path.path) ? [] : path.options;
  const condition = path.path === "" ? "" : ` -n ${quoted(`__porchlight_at ${path.path}`)}`;
  return options.map((option) => {
    const { name, short, value, choices, summary } = option;
    const takes = choices ? ` -x -a ${quoted(choices.join(" "))}` : takesFile(option) ? " -r -F" : value ? " -x" : "";
    return `complete -c porchlight${condition} -l ${name}${short ? ` -s ${short}` : ""}${takes} -d ${quoted(summary)}`;
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** Topics of `porchlight help`. The parts below collect everything that can follow `porchlight`, from the table of commands. */
const TOPICS = ["references", "scripting", "exit-statuses"];

interface Word {
  readonly word: string;
  readonly summary: string;
}

/** A command with the words that can follow it. */
export interface Path {
  /** `devices list`; empty for the program itself. */
  readonly path: string;
  /** Commands, or verbs of a noun. */
  readonly words: readonly Word[];
  readonly options: readonly Option[];
}

/** The program first, then the commands in the order of the table. */
export async function pathsOf(entries: readonly Entry[]): Promise<readonly Path[]> {
  const loaded = await Promise.all(entries.map(async (entry) => ({ entry, what: await entry.load() })));
  const names = entries.map(({ name, summary }) => ({ word: name, summary }));
  const help = { word: "help", summary: "Shows the help of a command or topic" };
  const root: Path = { path: "", words: [...names, help], options: [] };
  const paths = loaded.flatMap(({ entry, what }): Path[] => {
    if (!isNoun(what)) return [{ path: entry.name, words: [], options: what.options ?? [] }];
    const verbs = what.map(({ name, summary }) => ({ word: name, summary }));
    return [
      { path: entry.name, words: verbs, options: [] },
      ...what.map(({ name, options = [] }) => ({ path: `${entry.name} ${name}`, words: [], options })),
    ];
  });
  const topics = TOPICS.map((word) => ({ word, summary: "Applies to all commands" }));
  return [root, ...paths, { path: "help", words: [...names, ...topics], options: [] }];
}

/** Options of a command, including those of all commands. */
export function allOptions({ options }: Path): readonly Option[] {
  return [...options, ...GLOBAL_OPTIONS];
}

/** Forms of an option on the command line. */
export function flags({ name, short }: Option): string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

/** Whether the value of an option can be a file name. */
export function takesFile({ value }: Option): boolean {
  return value === "FILE";
}

/** All options with a value, once each: the word after one is no command. */
export function flagsWithValue(paths: readonly Path[]): readonly string[] {
  const flagged = paths.flatMap((path) => allOptions(path).filter(({ value }) => value !== undefined));
  return [...new Set(flagged.flatMap(flags))].sort();
}
