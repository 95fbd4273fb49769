/** What `conform --agent` does: makes the line, starts the hub when it is told how, proves it, and leaves nothing behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type ProveHubOptions, proveHub } from "../conform/hub/prove-hub.ts";
import type { Report } from "../conform/rule.ts";
import { openPty } from "../links/pty-link.ts";

export interface HubOptions {
  readonly link?: string;
  readonly exec?: string;
}

/** What every proof is told, of a device or of a hub. */
export type Asked = Omit<ProveHubOptions, "link" | "where" | "patience" | "gone">;

/** How long a person may take to start the hub, ms. */
const PATIENCE = 60_000;
/** How long a hub that is told to stop may take, ms. */
const STOPS_WITHIN = 5000;

/** @throws Silence when no hub opens the line in time */
export async function proveAgent(asked: Asked, { link, exec }: HubOptions): Promise<Report> {
  const port = openPty(link);
  const hub = exec === undefined ? undefined : started(exec.replaceAll("{port}", port.path));
  if (!hub) process.stderr.write(`Start the hub on this line: porchlight-agent run --serial ${port.path} …\n`);
  try {
    const gone = hub && endOf(hub);
    return await proveHub({ ...asked, link: port.link, where: port.path, patience: PATIENCE, gone });
  } finally {
    if (hub) await stopped(asked, hub);
    port.close();
  }
}

/** In a group of its own, so that what its shell has started can be stopped with it. What it says is no part of the report. */
function started(command: string): ChildProcess {
  return spawn("/bin/sh", ["-c", command], { stdio: ["ignore", process.stderr, process.stderr], detached: true });
}

/** How the hub's command has ended, in a sentence. */
async function endOf(hub: ChildProcess): Promise<string> {
  const [code, signal]: (number | string | null)[] = await once(hub, "exit");
  return `The hub's command has ended (${signal ?? code}), and nothing came.`;
}

async function stopped({ clock }: Asked, hub: ChildProcess): Promise<void> {
  if (hub.pid === undefined || hub.exitCode !== null || hub.signalCode !== null) return;
  const ended = once(hub, "exit");
  const kill = (signal: NodeJS.Signals) => hub.pid !== undefined && process.kill(-hub.pid, signal);
  kill("SIGTERM");
  const patience = clock.timer("hub to stop", STOPS_WITHIN, () => kill("SIGKILL"));
  await ended;
  patience.cancel();
}
