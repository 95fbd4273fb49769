/** `porchlight-agent run`: runs the agent until it is stopped. */

import { readFileSync } from "node:fs";
import { FrameLog } from "@porchlight/driver-porchlight";
import { type Log, sleep } from "@porchlight/shared/kernel";
import { printableLines } from "@porchlight/shared/model";
import { pino } from "pino";
import { Agent } from "../agent.ts";
import type { AgentDeps } from "../agent-deps.ts";
import { AGENT_VERSION, type AgentSettings, isMachineClockSet, machineBoot, tokenFile } from "../config/index.ts";
import { homeDrivers } from "../drivers/index.ts";
import {
  type AskMaintenance,
  ControlSocket,
  LogFiles,
  listenForMetrics,
  type MaintainedHub,
  Maintenance,
  metricsText,
  Progress,
  ServiceManager,
  summaryLine,
  systemdNotify,
  thisMachine,
} from "../ops/index.ts";
import { finishToForget, httpPairingCloud } from "../pairing/index.ts";
import { webSocketDial } from "../uplink/index.ts";
import { type AddCommand, EXIT, type Surroundings } from "./command.ts";
import { runSettings, withRunFlags } from "./run-flags.ts";

/** Delay between the end of an agent whose database is damaged and its next start, ms. */
const ANEW_MS = 1000;

export const addRun: AddCommand = (program, around) => {
  withRunFlags(program.command("run"))
    .description("connect the hub's devices to the cloud, until stopped")
    .action((flags) => run(() => usableSettings(flags, around), around));
};

/** Reads the current settings. @throws SettingsError, TokenUnusable: no agent can start with them */
function usableSettings(flags: Readonly<Record<string, unknown>>, around: Surroundings): AgentSettings {
  const settings = runSettings(flags, around);
  // An unusable token is reported before anything is created.
  tokenFile(settings).read();
  return settings;
}

/** @param read reads the settings, again for each requested restart */
async function run(read: () => AgentSettings, around: Surroundings): Promise<void> {
  const stopped = stopSignal();
  const restartKind = around.env.NOTIFY_SOCKET ? "service_manager" : "in_process";
  for (;;) {
    const ending = await runWith(read(), { ...around, stopped, restartKind, check: read });
    if (ending === "stopped") return;
    // The service manager starts the process again.
    if (restartKind === "service_manager") return around.endWith(EXIT.restart);
  }
}

interface Around extends Surroundings {
  readonly stopped: Promise<string>;
  readonly restartKind: "service_manager" | "in_process";
  /** Reads the settings of the next start. @throws SettingsError, TokenUnusable */
  readonly check: () => void;
}

/** Runs with the same settings until a restart is requested. */
async function runWith(settings: AgentSettings, around: Around): Promise<"stopped" | "restart"> {
  const { clock } = around;
  using files = new LogFiles(settings.data, settings.logBytes, clock);
  const log = pino({ level: settings.logLevel }, tee(files, settings.logBytes > 0));
  for (;;) {
    files.flush();
    if (finishToForget(settings.data, tokenFile(settings))) log.info({}, "this hub no longer has an owner");
    const ending = await runOnce(settings, { ...around, log, files });
    if (ending === "stopped" || ending === "restart") return ending;
    if (ending === "broken") await sleep(clock, "beginning anew", ANEW_MS);
    log.warn({}, "the agent starts again");
  }
}

/** Runs one agent from its start to its end. */
async function runOnce(
  settings: AgentSettings,
  around: Around & { readonly log: Log; readonly files: LogFiles },
): Promise<"stopped" | "broken" | "unpaired" | "restart"> {
  const { clock, log, env, stopped, files, restartKind, check } = around;
  const restarted = Promise.withResolvers<void>();
  const restart = { kind: restartKind, check, begin: () => restarted.resolve() };
  const frames = settings.frameBytes > 0 ? new FrameLog(clock, settings.frameBytes) : undefined;
  const about = { clock, log, settings, restart, frames, machine: thisMachine(), flushLog: () => files.flush() };
  const maintenance = (hub: MaintainedHub): AskMaintenance => new Maintenance({ ...about, hub }).answer;
  await using agent = await Agent.start({ ...agentDeps(settings, { ...around, frames }), maintenance });
  using _hangup = onHangup(() => agent.lookForToken());
  await using _control = await ControlSocket.start(settings.data, agent.answers(), log);
  await using _metrics = await metrics(agent, settings.metricsPort);
  const progress = new Progress();
  await using _service = await ServiceManager.start({
    clock,
    log,
    env,
    notify: systemdNotify,
    pid: process.pid,
    stuck: () => progress.stuck(agent.status(), clock.monotonic()),
    summary: () => summaryLine(agent.status()),
  });
  log.info({ version: AGENT_VERSION, edgeId: agent.edgeId, cloud: settings.cloud }, "the agent runs");
  const ending = await Promise.race([
    stopped.then((signal) => ({ kind: "stopped", signal }) as const),
    agent.broken.then((why) => ({ kind: "broken", why }) as const),
    agent.unpaired.then(() => ({ kind: "unpaired" }) as const),
    restarted.promise.then(() => ({ kind: "restart" }) as const),
  ]);
  if (ending.kind === "stopped") log.info({ signal: ending.signal }, "the agent stops");
  else if (ending.kind === "broken") log.error({ why: ending.why }, "the hub's database is damaged");
  return ending.kind;
}

function agentDeps(
  settings: AgentSettings,
  around: Surroundings & { readonly log: Log; readonly frames: FrameLog | undefined },
): AgentDeps {
  const { clock, random, env, log, frames } = around;
  const ca = settings.ca && readFileSync(settings.ca, "utf8");
  return {
    clock,
    random,
    log,
    dataDir: settings.data,
    cloudUrl: settings.cloud,
    tokens: tokenFile(settings),
    pairing: httpPairingCloud({ clock, env, cloudUrl: settings.cloud, ca }),
    edgeId: settings.edgeId,
    localApi: settings.apiPort === undefined ? undefined : { host: settings.apiHost, port: settings.apiPort },
    publish: settings.drivers.mqtt?.publish ? settings.drivers.mqtt : undefined,
    dial: webSocketDial({ clock, env, ca }),
    drivers: (host, hubEdgeId, askClaims, kept) =>
      homeDrivers(settings, { clock, random, log, host, hubEdgeId, askClaims, kept, frames }),
    boot: machineBoot(),
    isMachineClockSet: (now) => isMachineClockSet(now),
    settings: tuning(settings),
  };
}

function tuning(settings: AgentSettings) {
  const { backoffFirstMs, backoffCapMs, backoffStableMs, outboxBytes, reserveBytes } = settings;
  const { supersededFirstMs, supersededCapMs, rejectedMs, handshakeMs } = settings;
  const backoff = { firstMs: backoffFirstMs, capMs: backoffCapMs, stableMs: backoffStableMs };
  return {
    outboxBytes,
    reserveBytes,
    uplink: { backoff, supersededFirstMs, supersededCapMs, rejectedMs, handshakeMs },
  };
}

/** The destinations of log lines: stderr and the agent's own files. */
function tee(files: LogFiles, isKept: boolean) {
  const stderr = pino.destination({ fd: 2, sync: true });
  return {
    write(line: string) {
      stderr.write(printableLines(line));
      if (isKept) files.write(line);
    },
  };
}

async function metrics(agent: Agent, port: number | undefined): Promise<AsyncDisposable | undefined> {
  if (port === undefined) return undefined;
  const text = () => {
    const { user, system } = process.cpuUsage();
    return metricsText(agent.status(), {
      residentBytes: process.memoryUsage.rss(),
      processorSeconds: (user + system) / 1e6,
    });
  };
  return await listenForMetrics(text, port);
}

/** On SIGHUP, reads the token again. */
function onHangup(look: () => void): Disposable {
  process.on("SIGHUP", look);
  return { [Symbol.dispose]: () => void process.off("SIGHUP", look) };
}

/** Resolves on the first SIGTERM or SIGINT; a second one exits at once. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let isSignalled = false;
    const tell = (signal: string) => {
      if (isSignalled) process.exit(EXIT.interrupted);
      isSignalled = true;
      resolve(signal);
    };
    process.on("SIGTERM", tell);
    process.on("SIGINT", tell);
  });
}
