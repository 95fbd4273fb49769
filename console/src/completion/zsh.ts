/** Completion for zsh, with a description of each word. */
import { allOptions, flags, flagsWithValue, type Path, takesFile } from "./fish.ts";

export function zshCompletion(paths: readonly Path[]): string {
  const cases = paths.map((path) => {
    const words = path.words.map(({ word, summary }) => described(word, summary));
    const options = allOptions(path).flatMap((option) => flags(option).map((flag) => described(flag, option.summary)));
    return `    ${quoted(path.path)}) commands=(${words.join(" ")}); options=(${options.join(" ")}) ;;`;
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
      else case "$path_so_far $word" in ${verbPaths(paths)}) path_so_far="$path_so_far $word" ;; esac
      fi
      ;;
    esac
  done
  if [[ -n $skip ]]; then
    case "$path_so_far $previous" in
${valueCases(paths).join("\n")}
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

function verbPaths(paths: readonly Path[]): string {
  return paths
    .filter(({ path }) => path.includes(" "))
    .map(({ path }) => quoted(path))
    .join("|");
}

function valueCases(paths: readonly Path[]): string[] {
  return paths.flatMap((path) =>
    allOptions(path).flatMap((option) => {
      const found = takesFile(option) ? "_files" : option.choices && `compadd -- ${option.choices.join(" ")}`;
      return found ? flags(option).map((flag) => `    ${quoted(`${path.path} ${flag}`)}) ${found} ;;`) : [];
    }),
  );
}

/** A word with its summary, separated by a colon. */
function described(word: string, summary: string): string {
  return quoted(`${word.replaceAll(":", "\\:")}:${summary}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
