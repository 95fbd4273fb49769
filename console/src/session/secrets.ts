/** Secrets as input: hidden questions, or stdin line by line; never the command line. */
import type { Args } from "./args.ts";
import type { Option } from "./command.ts";
import type { Context } from "./context.ts";
import { UsageError } from "./failure.ts";

export const PASSWORD_STDIN: Option = {
  name: "password-stdin",
  summary: "Reads the answers from stdin instead of asking, one per line, in the same order",
};

/** Answers to hidden questions, in order. @throws UsageError without a terminal and without the flag, or when a line is missing */
export async function secrets(context: Context, args: Args, questions: readonly string[]): Promise<readonly string[]> {
  if (args.has(PASSWORD_STDIN.name)) {
    const lines = (await context.prompts.piped()).split(/\r?\n/);
    const missing = questions[lines.length];
    if (missing === undefined) return lines;
    throw new UsageError(
      `stdin has too few lines: ${missing} is missing.`,
      `It must have ${questions.length}: ${questions.join(", ")}.`,
      "write one per line",
    );
  }
  const answers: string[] = [];
  for (const question of questions)
    answers.push(await context.prompts.askHidden(`${question}: `, `--${PASSWORD_STDIN.name}`));
  return answers;
}
