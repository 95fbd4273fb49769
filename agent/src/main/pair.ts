/**
 * `porchlight-agent pair` and `unpair`. A hub that leaves its owner gives its token back to the cloud if possible, and deletes everything
 * except its key, its edgeId and its devices. `pair` shows a code until the hub is approved. If an agent runs on the folder, it shows that
 * agent's code, so that one hub never has two codes; else the command pairs by itself, and the next `run` is paired.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { silentLog, sleep } from "@porchlight/shared/kernel";
import { printable, printableValue } from "@porchlight/shared/model";
import { z } from "zod";
import { Agent } from "../agent.ts";
import {
  AGENT_VERSION,
  type AgentSettings,
  machineBoot,
  openHub,
  type TokenStore,
  TokenUnusable,
  tokenFile,
} from "../config/index.ts";
import { type PairingSummary, type ReleaseSummary, readStatus, releaseSummary } from "../ops/index.ts";
import {
  beginToForget,
  codeText,
  finishToForget,
  httpPairingCloud,
  Pairing,
  PairingFile,
  type ShownHub,
} from "../pairing/index.ts";
import { State } from "../state/index.ts";
import { webSocketDial } from "../uplink/index.ts";
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
  return (current) => {
    const status = printableValue(current);
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

/** How long the cloud may take to revoke a token, and an agent to restart, ms. */
const WITHIN_MS = 30_000;
/** How long a hub that is not running may take to get online, ms. */
const ONLINE_MS = 10_000;
const RESTART_LOOK_MS = 100;

const answered = z.object({ revoked: z.boolean() });

export const addUnpair: AddCommand = (program, around) => {
  withRunFlags(program.command("unpair"))
    .description(
      "remove the hub from its owner: return the token, and delete everything except the hub's key and its devices",
    )
    .option("--force", "do not wait until devices that are bound to this hub have been released")
    .action(async (flags: Record<string, unknown>) => {
      const data = String(flags.data ?? around.env.PORCHLIGHT_DATA ?? runSettings(flags, around).data);
      const answer = await readStatus(data, around.clock);
      if (answer.kind === "running") {
        const isForced = flags.force === true;
        const release = await releaseDevices((ask) => askRunning(data, ask, around, WITHIN_MS), isForced, around);
        say(await unpairRunning(data, answer.status.startedAt, around), around);
        sayReset(release, around);
      } else if (answer.kind === "not_running") say(await unpairAlone(runSettings(flags, around), around), around);
      else throw new CommandFailed(SILENCES[answer.kind], EXIT.offline);
    });
};

/** Returns whether the token was revoked. Resolves when the agent has restarted without an owner. */
async function unpairRunning(data: string, startedAt: number, around: Surroundings): Promise<boolean> {
  const { clock } = around;
  const { revoked } = answered.parse(await askRunning(data, { ask: "unpair" }, around, WITHIN_MS));
  const limit = clock.monotonic() + WITHIN_MS;
  for (;;) {
    const answer = await readStatus(data, clock);
    if (answer.kind === "running" && answer.status.startedAt !== startedAt && !answer.status.paired) return revoked;
    if (clock.monotonic() > limit)
      throw new CommandFailed("the agent has not restarted: restart it to finish unpairing");
    await sleep(clock, "the agent's new beginning", RESTART_LOOK_MS);
  }
}

async function unpairAlone(settings: AgentSettings, around: Surroundings): Promise<boolean> {
  const tokens = tokenFile(settings);
  const known = isKnown(tokens);
  const revoked = known === "token" ? await giveBack(settings, around) : known === "none";
  if (known !== "token") beginToForget(settings.data);
  finishToForget(settings.data, tokens);
  return revoked;
}

function isKnown(tokens: TokenStore): "token" | "none" | "unusable" {
  try {
    return tokens.read() === undefined ? "none" : "token";
  } catch (failure) {
    if (failure instanceof TokenUnusable) return "unusable";
    throw failure;
  }
}

/** Runs an agent without devices until the token is given back. */
async function giveBack(settings: AgentSettings, { clock, random, env }: Surroundings): Promise<boolean> {
  const ca = settings.ca && readFileSync(settings.ca, "utf8");
  await using agent = await Agent.start({
    ...{ clock, random, log: silentLog, dataDir: settings.data, cloudUrl: settings.cloud, boot: machineBoot() },
    tokens: tokenFile(settings),
    dial: webSocketDial({ clock, env, ca }),
    drivers: () => [],
  });
  const limit = clock.monotonic() + ONLINE_MS;
  const isWorthWaiting = () => !agent.status().tunnel.live && agent.status().tunnel.reason !== "rejected";
  while (isWorthWaiting() && clock.monotonic() < limit) await sleep(clock, "the tunnel", RESTART_LOOK_MS);
  return (await agent.unpair()).revoked;
}

function say(revoked: boolean, { out, err }: Surroundings): void {
  if (!revoked) err("the token could not be revoked: delete it, or the client, in the cloud\n");
  out("this hub is unpaired; it keeps its key, its edgeId and its devices\n");
}

/** Sends a question to the running agent. */
type Ask = (question: { readonly ask: string; readonly about: unknown }) => Promise<unknown>;

/** Interval between two status checks, ms. */
const RELEASE_LOOK_MS = 500;

/**
 * Releases the devices that are bound to the hub, which can take minutes, and shows the progress.
 * @param isForced ends it at once
 * @throws CommandFailed when the agent does not answer
 */
export async function releaseDevices(
  ask: Ask,
  isForced: boolean,
  around: Pick<Surroundings, "clock" | "out">,
): Promise<ReleaseSummary> {
  const { clock, out } = around;
  let shown = "";
  for (;;) {
    const release = releaseSummary.parse(await ask({ ask: "release", about: { force: isForced } }));
    const line = `${release.text} (${release.released} of ${release.bound} released)\n`;
    if (release.bound > 0 && line !== shown) out(line);
    if (release.isOver) return release;
    shown = line;
    await sleep(clock, "a look at what is released", RELEASE_LOOK_MS);
  }
}

/** Lists the devices that must be reset before another hub can use them. */
export function sayReset({ mustBeReset }: ReleaseSummary, { err }: Pick<Surroundings, "err">): void {
  if (mustBeReset.length === 0) return;
  err("these devices are still bound to this hub; reset each before another hub can use it:\n");
  for (const { edgeId, name } of mustBeReset) err(`  ${[edgeId, name].filter(Boolean).join("  ")}\n`);
}
