/** Completion scripts for fish, bash and zsh, built from the paths of the commands. */
import type { Option } from "../session/args.ts";
import { type Entry, GLOBAL_OPTIONS, isNoun } from "../session/command.ts";

/** For fish, which evaluates a condition for each line. */
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
    ({ word, summary }) =>
      `complete -c porchlight -n ${fishQuoted(condition)} -a ${fishQuoted(word)} -d ${fishQuoted(summary)}`,
  );
}

function optionLines(path: Path, nouns: ReadonlySet<string>): string[] {
  // Before its verb, a noun takes only the options of all commands, which belong to the program.
  const options = path.path === "" ? allOptions(path) : nouns.has(path.path) ? [] : path.options;
  const condition = path.path === "" ? "" : ` -n ${fishQuoted(`__porchlight_at ${path.path}`)}`;
  return options.map((option) => {
    const { name, short, value, choices, summary } = option;
    const takes = choices
      ? ` -x -a ${fishQuoted(choices.join(" "))}`
      : takesFile(option)
        ? " -r -F"
        : value
          ? " -x"
          : "";
    return `complete -c porchlight${condition} -l ${name}${short ? ` -s ${short}` : ""}${takes} -d ${fishQuoted(summary)}`;
  });
}

function fishQuoted(text: string): string {
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
function allOptions({ options }: Path): readonly Option[] {
  return [...options, ...GLOBAL_OPTIONS];
}

/** Forms of an option on the command line. */
function flags({ name, short }: Option): string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

/** Whether the value of an option can be a file name. */
function takesFile({ value }: Option): boolean {
  return value === "FILE";
}

/** All options with a value, once each: the word after one is no command. */
function flagsWithValue(paths: readonly Path[]): readonly string[] {
  const flagged = paths.flatMap((path) => allOptions(path).filter(({ value }) => value !== undefined));
  return [...new Set(flagged.flatMap(flags))].sort();
}

/** For bash, which needs only bash itself. */
export function bashCompletion(paths: readonly Path[]): string {
  const words = paths.map(({ path, words }) => `    "${path}") words="${words.map(({ word }) => word).join(" ")}" ;;`);
  const options = paths.map((path) => `    "${path.path}") words="${allOptions(path).flatMap(flags).join(" ")}" ;;`);
  return `# Completion of porchlight for bash. In ~/.bashrc: eval "$(porchlight completion bash)"
_porchlight() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path="" words="" i word skip=""
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $skip ]]; then skip=""; continue; fi
    case $word in
    ${flagsWithValue(paths).join("|")}) skip=1 ;;
    -*) ;;
    *)
      # A noun and its verb; what follows them is no command.
      if [[ -z $path ]]; then path=$word
      else case "$path $word" in ${bashVerbs(paths)}) path="$path $word" ;; esac
      fi
      ;;
    esac
  done
  case "$path $prev" in
${bashValues(paths).join("\n")}
  esac
  if [[ -n $skip ]]; then return; fi
  if [[ $cur == -* ]]; then
    case "$path" in
${options.join("\n")}
    esac
  else
    case "$path" in
${words.join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _porchlight porchlight
`;
}

function bashVerbs(paths: readonly Path[]): string {
  return paths
    .filter(({ path }) => path.includes(" "))
    .map(({ path }) => `"${path}"`)
    .join("|");
}

/** Completion of option values, where they are known. */
function bashValues(paths: readonly Path[]): string[] {
  return paths.flatMap((path) =>
    allOptions(path).flatMap((option) =>
      flags(option).flatMap((flag) => {
        const [found] = [
          ...(takesFile(option) ? ['compgen -f -- "$cur"'] : []),
          ...(option.choices ? [`compgen -W "${option.choices.join(" ")}" -- "$cur"`] : []),
        ];
        return found === undefined ? [] : [`    "${path.path} ${flag}") COMPREPLY=($(${found})); return ;;`];
      }),
    ),
  );
}

/** For zsh, with a description of each word. */
export function zshCompletion(paths: readonly Path[]): string {
  const cases = paths.map((path) => {
    const words = path.words.map(({ word, summary }) => described(word, summary));
    const options = allOptions(path).flatMap((option) => flags(option).map((flag) => described(flag, option.summary)));
    return `    ${zshQuoted(path.path)}) commands=(${words.join(" ")}); options=(${options.join(" ")}) ;;`;
  });
  return `#compdef porchlight
# Completion of porchlight for zsh. In ~/.zshrc, after compinit: eval "$(porchlight completion zsh)"
_porchlight() {
  local -a words_before commands options
  local path_so_far="" word skip="" previous=\${words[CURRENT-1]}
  words_before=("\${(@)words[2,CURRENT-1]}")
  commands=()
  for word in "\${words_before[@]}"; do
    if [[ -n $skip ]]; then skip=""; continue; fi
    case $word in
    ${flagsWithValue(paths).join("|")}) skip=1 ;;
    -*) ;;
    *)
      # A noun and its verb; what follows them is no command.
      if [[ -z $path_so_far ]]; then path_so_far=$word
      else case "$path_so_far $word" in ${zshVerbs(paths)}) path_so_far="$path_so_far $word" ;; esac
      fi
      ;;
    esac
  done
  if [[ -n $skip ]]; then
    case "$path_so_far $previous" in
${zshValues(paths).join("\n")}
    esac
    return
  fi
  case "$path_so_far" in
${cases.join("\n")}
  esac
  if [[ $PREFIX == -* ]]; then _describe option options; else _describe command commands; fi
}
compdef _porchlight porchlight
`;
}

function zshVerbs(paths: readonly Path[]): string {
  return paths
    .filter(({ path }) => path.includes(" "))
    .map(({ path }) => zshQuoted(path))
    .join("|");
}

function zshValues(paths: readonly Path[]): string[] {
  return paths.flatMap((path) =>
    allOptions(path).flatMap((option) => {
      const found = takesFile(option) ? "_files" : option.choices && `compadd -- ${option.choices.join(" ")}`;
      return found ? flags(option).map((flag) => `    ${zshQuoted(`${path.path} ${flag}`)}) ${found} ;;`) : [];
    }),
  );
}

/** A word with its summary, separated by a colon. */
function described(word: string, summary: string): string {
  return zshQuoted(`${word.replaceAll(":", "\\:")}:${summary}`);
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
