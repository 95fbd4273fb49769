/** `porchlight-agent status`: what the agent of a data folder is doing, asked of the agent itself. Its exit status tells its health. */
import { printableValue } from "@porchlight/shared/model";
import { exitStatusOfHealth, problemsOf, readStatus, statusText, warningsOf } from "../ops/index.ts";
import { SILENCES } from "./asking.ts";
import { type AddCommand, EXIT, onDataFolder, type Surroundings } from "./command.ts";

export const addStatus: AddCommand = (program, around) => {
  onDataFolder(program.command("status"), around)
    .description("show what the running agent does; the exit status is its health")
    .option("--json", "print JSON")
    .action((options) => status(options, around));
};

async function status(options: { readonly data: string; readonly json?: boolean }, around: Surroundings) {
  const { clock, out, err, endWith } = around;
  const answer = await readStatus(options.data, clock);
  if (answer.kind !== "running") {
    if (options.json) out(`${JSON.stringify({ state: answer.kind })}\n`);
    else err(`${SILENCES[answer.kind]}\n`);
    endWith(EXIT.offline);
    return;
  }
  const problems = problemsOf(answer.status);
  const warnings = warningsOf(answer.status);
  if (options.json) out(`${JSON.stringify({ ...answer.status, problems, warnings })}\n`);
  else out(statusText(printableValue(answer.status), printableValue([...problems, ...warnings]), clock.now()));
  endWith(exitStatusOfHealth(problems));
}
