/**
 * `porchlight-agent pair`: shows a code until the hub is approved. If an agent runs on the folder, it shows that agent's code, so
 * that one hub never has two codes; else the command pairs by itself, and the next `run` is paired.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { silentLog, sleep } from "@porchlight/shared/kernel";
import { printable, printableValue } from "@porchlight/shared/model";
import { AGENT_VERSION, type AgentSettings, openHub, tokenFile } from "../config/index.ts";
import { type PairingSummary, readStatus } from "../ops/index.ts";
import { codeText, finishToForget, httpPairingCloud, Pairing, PairingFile, type ShownHub } from "../pairing/index.ts";
import { State } from "../state/index.ts";
import { askRunning, SILENCES } from "./backup.ts";
import { type AddCommand, CommandFailed, EXIT, type Surroundings } from "./command.ts";
import { runSettings, withRunFlags } from "./run-flags.ts";

/** How often the running agent is asked for the state of its pairing, ms. */
const LOOK_MS = 500;

export const addPair: AddCommand = (program, around) => {
  withRunFlags(program.command("pair"))
    .description("show a code, and wait until a person approves this hub")
    .option("--again", "pair a hub that is already paired; it keeps its token until the code is approved")
    .action(async ({ again, ...flags }: Record<string, unknown>) => {
      const data = flags.data ?? around.env.PORCHLIGHT_DATA ?? runSettings(flags, around).data;
      const { kind } = await readStatus(String(data), around.clock);
      const isAgain = again === true;
      if (kind === "running") await pairRunning(String(data), isAgain, around);
      else if (kind === "not_running") await pairAlone(runSettings(flags, around), isAgain, around);
      else throw new CommandFailed(SILENCES[kind], EXIT.offline);
    });
};

/** Watches the pairing of the agent that runs on the folder. */
async function pairRunning(data: string, again: boolean, around: Surroundings): Promise<void> {
  await askRunning(data, { ask: "pair", about: { again } }, around);
  const show = teller(openHub(data, around.random), around);
  for (;;) {
    const answer = await readStatus(data, around.clock);
    if (answer.kind !== "running") throw new CommandFailed(SILENCES[answer.kind], EXIT.offline);
    const { pairing, paired } = answer.status;
    // A paired hub without a pairing got its token another way meanwhile.
    if (!pairing) return around.out(paired ? "this hub is paired\n" : "this hub no longer asks to be paired\n");
    show(pairing);
    if (isOver(pairing, around)) return;
    await sleep(around.clock, "how the pairing stands", LOOK_MS);
  }
}

/** Pairs without a running agent. No agent can start on the folder meanwhile. */
async function pairAlone(settings: AgentSettings, again: boolean, around: Surroundings): Promise<void> {
  const { clock, random, env, err } = around;
  const { data, cloud } = settings;
  const tokens = tokenFile(settings);
  const identity = openHub(data, random, settings.edgeId);
  finishToForget(data, tokens);
  await using _alone = State.open(join(data, "agent.db"), { clock, random, log: silentLog });
  if (tokens.read() !== undefined && !again)
    throw new CommandFailed("this hub already has a token: to pair it again, use --again", EXIT.refused);
  await using pairing = Pairing.start({
    ...{ clock, random, identity, agentVersion: AGENT_VERSION },
    log: { ...silentLog, error: ({ failure }, message) => err(`${message} (${printable(String(failure))})\n`) },
    cloud: httpPairingCloud({ clock, env, cloudUrl: cloud, ca: settings.ca && readFileSync(settings.ca, "utf8") }),
    file: new PairingFile(data, cloud),
    granted: ({ token }) => tokens.write(token),
    changed: teller(identity, around),
  });
  await pairing.ended;
  if (!isOver(pairing.status, around)) throw new CommandFailed("the pairing has failed");
}

/** Prints each state once. */
function teller(hub: ShownHub, { out, err }: Surroundings): (status: PairingSummary) => void {
  let shown = "";
  let problem: string | undefined;
  return (told) => {
    const status = printableValue(told);
    if (status.state === "waiting" && status.userCode !== shown) {
      if (shown !== "") out("\nThe code has expired. The new code:\n\n");
      shown = status.userCode;
      out(codeText(status, hub, process.stdout.isTTY === true));
    }
    const now = "problem" in status ? status.problem : undefined;
    if (now !== undefined && now !== problem) err(`the cloud does not answer (${now}); trying again\n`);
    problem = now;
  };
}

/** @throws CommandFailed when the owner denied the hub */
function isOver(status: PairingSummary, { out }: Surroundings): boolean {
  if (status.state === "denied") throw new CommandFailed("the owner denied this hub", EXIT.notAllowed);
  if (status.state !== "paired") return false;
  out(`\npaired: client ${printable(status.clientId)} in environment ${printable(status.environmentId)}\n`);
  return true;
}
