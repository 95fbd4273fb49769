/**
 * Questions to the user: a confirmation before an action, and secrets, by hidden questions or from stdin line by line; never from the
 * command line.
 */
import type { Args, Option } from "./args.ts";
import type { Context } from "./command.ts";
import { Failure, UsageError } from "./failure.ts";

export const YES: Option = { name: "yes", short: "y", summary: "Answers the question with yes" };

/** @throws UsageError without a terminal and without `--yes`; Failure when the answer is no */
export async function confirm({ prompts }: Context, args: Args, question: string): Promise<void> {
  if (args.has("yes") || (await prompts.confirm(question, "--yes"))) return;
  throw new Failure(
    "failed",
    "Cancelled: nothing was changed.",
    "You did not answer yes.",
    "run the command again and answer y, or use --yes",
  );
}

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
