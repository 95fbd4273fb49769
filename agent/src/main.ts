#!/usr/bin/env node
/** The program `porchlight-agent`: parses what it is told, starts the agent, and ends it in order on a signal. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import { exitStatusOf, loadSettings } from "@porchlight/shared/settings";
import { Command } from "commander";
import { pino } from "pino";
import { Agent } from "./agent.ts";
import { IdentityUnusable } from "./config/identity.ts";
import { type AgentSettings, agentSettings } from "./config/settings.ts";
import { readToken, TokenUnusable } from "./config/token.ts";
import { AGENT_VERSION } from "./config/version.ts";
import { serialDriver } from "./drivers/serial-driver.ts";
import { readStatus, StatusSocket } from "./ops/status-socket.ts";
import { statusText } from "./ops/status-text.ts";
import { StateUnusable } from "./state/index.ts";
import { webSocketDial } from "./uplink/websocket.ts";

const PROGRAM = "porchlight-agent";
/** Exit statuses, besides those of a failed command line (`exitStatusOf`). */
const OFFLINE = 6;
const INTERRUPTED = 130;

const clock = systemClock;
const random = systemRandom;

async function run({ config, ...flags }: Record<string, unknown>): Promise<void> {
  const file = typeof config === "string" ? config : undefined;
  const settings = loadSettings(agentSettings, { program: PROGRAM, file, env: process.env, flags });
  const log = pino({ level: settings.logLevel }, pino.destination({ fd: 2, sync: true }));
  const dial = webSocketDial({ clock, env: process.env, ca: settings.ca && readFileSync(settings.ca, "utf8") });
  const token = readToken(settings.tokenFile ?? join(settings.data, "token"), settings.tokenFile !== undefined);
  const stopped = stopSignal();
  await using agent = await Agent.start({
    clock,
    random,
    log,
    dataDir: settings.data,
    cloudUrl: settings.cloud,
    token,
    edgeId: settings.edgeId,
    dial,
    drivers: (host, hubEdgeId) =>
      settings.serial.map((line) => serialDriver({ ...line, clock, random, log, host, hubEdgeId })),
    settings: tuning(settings),
  });
  await using _status = await StatusSocket.start(settings.data, () => agent.status(), log);
  log.info({ version: AGENT_VERSION, edgeId: agent.edgeId, cloud: settings.cloud }, "the agent runs");
  log.info({ signal: await stopped }, "the agent stops");
}

function tuning(settings: AgentSettings) {
  const { backoffFirstMs, backoffCapMs, backoffStableMs, outboxBytes } = settings;
  const { supersededFirstMs, supersededCapMs, rejectedMs, handshakeMs } = settings;
  const backoff = { firstMs: backoffFirstMs, capMs: backoffCapMs, stableMs: backoffStableMs };
  return { outboxBytes, uplink: { backoff, supersededFirstMs, supersededCapMs, rejectedMs, handshakeMs } };
}

/** The first SIGTERM or SIGINT; a second one does not wait for the end. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let told = false;
    const tell = (signal: string) => {
      if (told) process.exit(INTERRUPTED);
      told = true;
      resolve(signal);
    };
    process.on("SIGTERM", tell);
    process.on("SIGINT", tell);
  });
}

async function status(options: { readonly data: string; readonly json?: boolean }): Promise<void> {
  const answer = await readStatus(options.data, clock);
  if (options.json) {
    const { kind, ...rest } = answer;
    process.stdout.write(`${JSON.stringify(kind === "running" ? answer.status : { state: kind, ...rest })}\n`);
  } else if (answer.kind === "running") {
    process.stdout.write(statusText(answer.status, clock.now()));
  } else {
    process.stderr.write(`${SILENCES[answer.kind]}\n`);
  }
  if (answer.kind !== "running") process.exitCode = OFFLINE;
}

const SILENCES = {
  not_running: "no agent runs on this data folder",
  silent: "an agent runs on this data folder and does not answer",
  foreign: "an agent of another version runs on this data folder",
} as const;

// Whatever is kept is the hub's own: its key, its token, what its devices say.
process.umask(0o077);
const program = new Command(PROGRAM).version(AGENT_VERSION).description("Runs on a home hub, next to the devices.");
const collect = (entry: string, entries: readonly string[] = []) => [...entries, entry];
program
  .command("run")
  .description("connect the hub's devices to the cloud, until stopped")
  .option("--cloud <url>", "base address of the service")
  .option("--data <dir>", "folder of everything that the agent keeps")
  .option("--serial <path[@baud]>", "a serial line with devices; may be given several times", collect)
  .option("--token-file <file>", "the client token; the data folder's own `token` when left out")
  .option("--ca <file>", "PEM of a CA to trust besides the usual ones")
  .option("--edge-id <id>", "the hub's edgeId, at the first start only")
  .option("--config <file>", "settings in YAML")
  .action(run);
program
  .command("status")
  .description("what a running agent is doing")
  .requiredOption("--data <dir>", "the agent's folder", process.env.PORCHLIGHT_DATA)
  .option("--json", "as JSON, for programs")
  .action(status);
program.exitOverride();
for (const command of program.commands) command.exitOverride();

try {
  await program.parseAsync();
} catch (failure) {
  process.exitCode = exitStatusOf(PROGRAM, failure, isPlain);
}
// Whatever a library still holds open must not keep a stopped agent alive.
process.exit();

/** The message says it all. */
function isPlain(failure: unknown): boolean {
  return failure instanceof IdentityUnusable || failure instanceof StateUnusable || failure instanceof TokenUnusable;
}
