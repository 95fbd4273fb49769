/** What the commands that ask a running agent have in common: they ask, and say why there is no answer. */
import { printable, printableValue } from "@porchlight/shared/model";
import { askAgent, type Silence } from "../ops/index.ts";
import { CommandFailed, EXIT, type Surroundings } from "./command.ts";

/** Why an agent did not answer, for people. */
export const SILENCES: Readonly<Record<Silence, string>> = {
  not_running: "no agent runs on this data folder",
  silent: "an agent runs on this data folder and does not answer",
  ended: "the agent on this data folder ended before it answered",
  foreign: "an agent of another version runs on this data folder: restart it",
};

/**
 * The running agent's answer with every text in it printable, for people.
 * @throws CommandFailed when no agent answers, or it refuses
 */
export async function askRunning(...asking: Parameters<typeof askExactly>): Promise<unknown> {
  return printableValue(await askExactly(...asking));
}

/**
 * The running agent's answer as it is, for JSON and for what is sent back to the agent.
 * @param withinMs how long it may take, ms
 * @throws CommandFailed when no agent answers, or it refuses
 */
export async function askExactly(
  dataDir: string,
  ask: { readonly ask: string; readonly about?: unknown },
  { clock }: Pick<Surroundings, "clock">,
  withinMs?: number,
): Promise<unknown> {
  const asked = await askAgent(dataDir, ask, clock, withinMs);
  if (asked.kind === "answered") return asked.answer;
  if (asked.kind === "refused") throw new CommandFailed(printable(asked.why), asked.exitStatus);
  throw new CommandFailed(SILENCES[asked.kind], EXIT.offline);
}
