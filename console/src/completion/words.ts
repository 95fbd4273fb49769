/** Everything that can be typed after `porchlight`, as a shell's completion wants it: made of the table of commands. */
import { type Entry, isNoun, type Option } from "../session/command.ts";
import { GLOBAL_OPTIONS } from "../session/global-options.ts";

/** Topics of `porchlight help`. */
const TOPICS = ["references", "scripting", "exit-statuses"];

export interface Word {
  readonly word: string;
  readonly summary: string;
}

/** A command with what can follow it. */
export interface Path {
  /** `devices list`; empty for the program itself. */
  readonly path: string;
  /** Commands, or verbs of a noun. */
  readonly words: readonly Word[];
  readonly options: readonly Option[];
}

/** The program first, then each command in the table's order. */
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

/** Options of a command and those that every command takes. */
export function allOptions({ options }: Path): readonly Option[] {
  return [...options, ...GLOBAL_OPTIONS];
}

/** As it is typed. */
export function flags({ name, short }: Option): string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

/** What an option takes can be the name of a file. */
export function takesFile({ value }: Option): boolean {
  return value === "FILE";
}

/** Every option that takes a value, once: the word after it is no command. */
export function flagsWithValue(paths: readonly Path[]): readonly string[] {
  const flagged = paths.flatMap((path) => allOptions(path).filter(({ value }) => value !== undefined));
  return [...new Set(flagged.flatMap(flags))].sort();
}
