/**
 * An agent with 100 devices on four real serial lines that has nothing to do: memory and processor time, as the executable of the package,
 * read from the disk, beside Node.js that only waits.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readStatus } from "@porchlight/agent/ops/control-socket.ts";
import { systemClock } from "@porchlight/shared/kernel";
import { eventually } from "../test/parts/eventually.ts";
import { memoryBytes, processorSeconds } from "../test/parts/process-figures.ts";
import { Program, ROOT } from "../test/parts/program.ts";
import { print } from "./frame.ts";
import { addClient, listening, signUp } from "./product.ts";

const LINES = 4;
const DEVICES_A_LINE = 25;
const DEVICES = LINES * DEVICES_A_LINE;
const MB = 1e6;
/** What a start leaves behind is collected by then, and then it is watched, ms. */
const SETTLE_MS = 30_000;
const WATCH_MS = 60_000;

const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));
const args = ["serve", "--port", "0", "--data", join(folder, "cloud")];
await using cloud = new Program("cloud", "cloud/src/main.ts", args);
const url = await cloud.line(listening);
const account = await signUp(url);
const executable = await agentExecutable();
forgetFile(executable);

const waiting = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
const bare = await idle(waiting.pid ?? 0);
waiting.kill();
const { residentBytes, privateBytes, processor } = await idleAgent();
print(`agent with ${DEVICES} devices, idle: memory, MB (limit: Node.js that waits)`, {
  measured: residentBytes / MB,
  limit: bare.residentBytes / MB,
  ratio: residentBytes / bare.residentBytes,
  goal: "< 90 MB",
  private: privateBytes / MB,
});
print(`agent with ${DEVICES} devices, idle: processor, % of a core`, {
  measured: 100 * processor,
  limit: 100 * bare.processor,
  ratio: processor / 0.01,
  goal: "< 1 %",
});
rmSync(folder, { recursive: true, force: true });

interface Idle {
  readonly residentBytes: number;
  /** Of them, those that are no pages of a file: they cannot be dropped and read again. */
  readonly privateBytes: number;
  /** Of one core. */
  readonly processor: number;
}

/** What a process takes that has nothing to do. */
async function idle(pid: number): Promise<Idle> {
  await pause(SETTLE_MS);
  const [began, used] = [performance.now(), processorSeconds(pid)];
  await pause(WATCH_MS);
  const processor = (processorSeconds(pid) - used) / ((performance.now() - began) / 1000);
  return { residentBytes: memoryBytes(pid, "VmRSS"), privateBytes: memoryBytes(pid, "RssAnon"), processor };
}

async function idleAgent(): Promise<Idle> {
  const data = join(folder, "agent");
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(join(data, "token"), (await addClient(account)).token, { mode: 0o600 });
  await using simulator = await startDevices(data);
  const lines = Array.from({ length: LINES }, (_, line) => join(data, `line-${line}`));
  const args = ["run", "--cloud", url, "--data", data, ...lines.flatMap((line) => ["--serial", line])];
  const agent = spawn(executable, args, { stdio: "ignore" });
  try {
    await eventually(
      "all devices are live",
      async () => {
        const answer = await readStatus(data, systemClock);
        if (answer.kind !== "running" || !answer.status.tunnel.live) return false;
        return answer.status.devices.filter(({ live }) => live).length === DEVICES && answer.status.queue.records === 0;
      },
      120_000,
    );
    return await idle(agent.pid ?? 0);
  } finally {
    agent.kill("SIGKILL");
    simulator.signal("SIGTERM");
  }
}

async function startDevices(data: string): Promise<Program> {
  const kinds = ["colour-light", "thermostat", "two-gang-switch", "contact-sensor", "cover"];
  const nodes = Array.from({ length: LINES }, (_, line) => {
    const id = (device: number) => `02-50-4C-01-0${line}-${device.toString(16).toUpperCase().padStart(2, "0")}`;
    const devices = Array.from(
      { length: DEVICES_A_LINE },
      (_, device) =>
        `      - edgeId: ${id(device + 1)}\n        kind: ${kinds[device % kinds.length]}\n        name: Device ${device}\n`,
    );
    return `  - name: line-${line}\n    edgeId: ${id(0)}\n    devices:\n${devices.join("")}`;
  });
  writeFileSync(join(data, "devices.yaml"), `nodes:\n${nodes.join("")}`);
  const links = nodes.flatMap((_, line) => ["--link", `line-${line}=${join(data, `line-${line}`)}`]);
  const args = ["run", join(data, "devices.yaml"), "--json", ...links];
  const program = new Program("simulator", "firmware-sim/src/main.ts", args);
  for (let line = 0; line < LINES; line++)
    await program.line((text) => (text.includes(`"line-${line}"`) ? true : undefined));
  return program;
}

/** What the package has inside (scripts/agent): plain JavaScript, so that its shape is declared here. */
interface Builder {
  buildExecutable(architecture: unknown, path: string): Promise<unknown>;
  nativeArchitecture(): unknown;
}

/** @returns the path of the executable, just written */
async function agentExecutable(): Promise<string> {
  const part = (name: string): Promise<Builder> => import(join(ROOT, "scripts/agent", name));
  const path = join(folder, "porchlight-agent");
  const architecture = (await part("architectures.mjs")).nativeArchitecture();
  await (await part("executable.mjs")).buildExecutable(architecture, path);
  return path;
}

/**
 * Lets the system forget what it has of a file in memory, as after a start of the machine: the agent then reads it from the disk, as it does
 * on a hub. A file that was just written stands in memory in pieces of up to 2 MB, and newer kernels (6.18) count a piece for a process that
 * needs one page of it: 15 MB more that are not the agent's.
 */
function forgetFile(path: string): void {
  execFileSync("sync", [path]);
  execFileSync("dd", [`of=${path}`, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none"]);
}
