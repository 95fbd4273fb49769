/** Completion for bash, which needs only bash itself. */
import { allOptions, flags, flagsWithValue, type Path, takesFile } from "./fish.ts";

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
      else case "$path $word" in ${verbPaths(paths)}) path="$path $word" ;; esac
      fi
      ;;
    esac
  done
  case "$path $prev" in
${valueCases(paths).join("\n")}
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

function verbPaths(paths: readonly Path[]): string {
  return paths
    .filter(({ path }) => path.includes(" "))
    .map(({ path }) => `"${path}"`)
    .join("|");
}

/** Completion of option values, where they are known. */
function valueCases(paths: readonly Path[]): string[] {
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
