/** `porchlight completion SHELL`: prints a script that completes commands and options, built from the table of commands. */
import { bashCompletion, fishCompletion, type Path, pathsOf, zshCompletion } from "../../completion/scripts.ts";
import type { Action, Entry } from "../../session/command.ts";
import { UsageError } from "../../session/failure.ts";

const SHELLS: Readonly<Record<string, (paths: readonly Path[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** @param entries the table of commands */
export function completion(entries: readonly Entry[]): Action {
  return {
    parameters: [{ name: "SHELL", summary: "bash, zsh or fish" }],
    examples: [
      `eval "$(porchlight completion bash)"   # in ~/.bashrc`,
      `eval "$(porchlight completion zsh)"    # in ~/.zshrc, after compinit`,
      "porchlight completion fish > ~/.config/fish/completions/porchlight.fish",
    ],
    async run({ stdout }, args) {
      const shell = args.word("SHELL");
      const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
      if (!script)
        throw new UsageError(
          `There is no completion for ${shell}.`,
          "There is one for bash, zsh and fish.",
          "give one",
        );
      // Unescaped, because nothing in it comes from the service.
      stdout.write(script(await pathsOf(entries)));
    },
  };
}
