/** `porchlight-agent run`: the agent itself, until it is told to stop. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadSettings } from "@porchlight/shared/settings";
import { pino } from "pino";
import { Agent } from "../agent.ts";
import { type AgentSettings, agentSettings } from "../config/settings.ts";
import { readToken } from "../config/token.ts";
import { AGENT_VERSION } from "../config/version.ts";
import { homeDrivers } from "../drivers/home-drivers.ts";
import { StatusSocket } from "../ops/status-socket.ts";
import { webSocketDial } from "../uplink/websocket.ts";
import { type AddCommand, EXIT, PROGRAM, type Surroundings } from "./command.ts";

export const addRun: AddCommand = (program, around) => {
  const collect = (entry: string, entries: readonly string[] = []) => [...entries, entry];
  program
    .command("run")
    .description("connect the hub's devices to the cloud, until stopped")
    .option("--cloud <url>", "base address of the service")
    .option("--data <dir>", "folder of everything that the agent keeps")
    .option("--serial <path[@baud]>", "a serial line with devices; may be given several times", collect)
    .option("--lan <interface>", "address of the network interface on which devices are looked for")
    .option("--lan-admit <ids>", "edgeIds of the network devices to speak to, commas between; or `all`")
    .option("--token-file <file>", "the client token; the data folder's own `token` when left out")
    .option("--ca <file>", "PEM of a CA to trust besides the usual ones")
    .option("--edge-id <id>", "the hub's edgeId, at the first start only")
    .option("--config <file>", "settings in YAML")
    .action((options) => run(options, around));
};

async function run({ config, ...flags }: Record<string, unknown>, around: Surroundings): Promise<void> {
  const { clock, random, env } = around;
  const file = typeof config === "string" ? config : undefined;
  const settings = loadSettings(agentSettings, { program: PROGRAM, file, env, flags });
  const log = pino({ level: settings.logLevel }, pino.destination({ fd: 2, sync: true }));
  const dial = webSocketDial({ clock, env, ca: settings.ca && readFileSync(settings.ca, "utf8") });
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
    drivers: (host, hubEdgeId, askClaims) => homeDrivers(settings, { clock, random, log, host, hubEdgeId, askClaims }),
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
      if (told) process.exit(EXIT.interrupted);
      told = true;
      resolve(signal);
    };
    process.on("SIGTERM", tell);
    process.on("SIGINT", tell);
  });
}
