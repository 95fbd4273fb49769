/** Completion for fish, which asks of each line whether it holds. */
import { allOptions, type Path, takesFile } from "./words.ts";

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
  // Before its verb a noun takes the options of all commands only, which are those of the program.
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
