/** Confirmation of destructive commands: a question on a terminal, `--yes` in a script. */
import type { Args } from "./args.ts";
import type { Option } from "./command.ts";
import type { Context } from "./context.ts";
import { Failure } from "./failure.ts";

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
