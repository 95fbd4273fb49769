/** `porchlight-agent status`: what the agent of a data folder is doing, asked of the agent itself. */
import { readStatus } from "../ops/status-socket.ts";
import { statusText } from "../ops/status-text.ts";
import { type AddCommand, EXIT, onDataFolder, type Surroundings } from "./command.ts";

export const addStatus: AddCommand = (program, around) => {
  onDataFolder(program.command("status"), around)
    .description("what a running agent is doing")
    .option("--json", "as JSON, for programs")
    .action((options) => status(options, around));
};

async function status(options: { readonly data: string; readonly json?: boolean }, around: Surroundings) {
  const { clock, out, err } = around;
  const answer = await readStatus(options.data, clock);
  if (options.json) {
    const { kind, ...rest } = answer;
    out(`${JSON.stringify(kind === "running" ? answer.status : { state: kind, ...rest })}\n`);
  } else if (answer.kind === "running") {
    out(statusText(answer.status, clock.now()));
  } else {
    err(`${SILENCES[answer.kind]}\n`);
  }
  if (answer.kind !== "running") process.exitCode = EXIT.offline;
}

const SILENCES = {
  not_running: "no agent runs on this data folder",
  silent: "an agent runs on this data folder and does not answer",
  foreign: "an agent of another version runs on this data folder",
} as const;
