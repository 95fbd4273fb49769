/**
 * An agent with 100 devices on four real serial lines that has nothing to do: memory and processor time, as the executable of the package,
 * read from the disk or just written, and from its sources, beside Node.js that only waits.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStatus } from "@porchlight/agent/ops/control/ask-agent.ts";
import { systemClock } from "@porchlight/shared/kernel";
import { Api } from "../parts/api.ts";
import { eventually } from "../parts/eventually.ts";
import { Program, ROOT } from "../parts/program.ts";
import { agentExecutable, forgetFile } from "./executable.ts";
import { type Idle, idle } from "./parts.ts";
import { print } from "./report.ts";

const LINES = 4;
const DEVICES_A_LINE = 25;
const DEVICES = LINES * DEVICES_A_LINE;
const MB = 1e6;

const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));
await using cloud = new Program("cloud", "cloud/src/main.ts", [
  "serve",
  "--port",
  "0",
  "--data",
  join(folder, "cloud"),
]);
const url = await cloud.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
const login = { email: "bench@home.example", password: "a-long-and-quiet-password" };
const nobody = new Api(url);
const { environmentId } = await nobody.good<{ environmentId: string }>("POST", "/api/accounts", login);
const api = nobody.as((await nobody.good<{ token: string }>("POST", "/api/accounts/login", login)).token);

const executable = await agentExecutable(folder);

let homes = 0;
const waiting = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
const bare = await idle(waiting.pid ?? 0);
waiting.kill();
for (const [what, command] of [
  ["the executable, just written", [executable]],
  ["the executable", [executable]],
  ["from sources", [process.execPath, join(ROOT, "agent/src/main.ts")]],
] as const) {
  if (what === "the executable") forgetFile(executable);
  const { residentBytes, privateBytes, processor } = await idleAgent(what, command);
  print(`agent with ${DEVICES} devices, idle, ${what}: memory, MB (limit: Node.js that waits)`, {
    measured: residentBytes / MB,
    limit: bare.residentBytes / MB,
    ratio: residentBytes / bare.residentBytes,
    goal: "< 90 MB",
    private: privateBytes / MB,
  });
  print(`agent with ${DEVICES} devices, idle, ${what}: processor, % of a core`, {
    measured: 100 * processor,
    limit: 100 * bare.processor,
    ratio: processor / 0.01,
    goal: "< 1 %",
  });
}
rmSync(folder, { recursive: true, force: true });

async function idleAgent(what: string, command: readonly [string, ...string[]]): Promise<Idle> {
  const data = join(folder, what);
  mkdirSync(data, { mode: 0o700 });
  const client = await api.good<{ id: string }>("POST", "/api/clients", { environmentId });
  const { token } = await api.good<{ token: string }>("POST", `/api/clients/${client.id}/tokens`);
  writeFileSync(join(data, "token"), token, { mode: 0o600 });
  await using simulator = await startDevices(data, `0${++homes}`);
  const lines = Array.from({ length: LINES }, (_, line) => join(data, `line-${line}`));
  const [program, ...words] = command;
  const args = [...words, "run", "--cloud", url, "--data", data, ...lines.flatMap((line) => ["--serial", line])];
  const agent = spawn(program, args, { stdio: "ignore" });
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
    // Its end is awaited: what a process still uses of a file is not forgotten.
    const ended = new Promise((resolve) => agent.once("exit", resolve));
    agent.kill("SIGKILL");
    await ended;
    simulator.signal("SIGTERM");
  }
}

async function startDevices(data: string, home: string): Promise<Program> {
  const kinds = ["colour-light", "thermostat", "two-gang-switch", "contact-sensor", "cover"];
  const nodes = Array.from({ length: LINES }, (_, line) => {
    const id = (device: number) => `02-50-4C-${home}-0${line}-${device.toString(16).toUpperCase().padStart(2, "0")}`;
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
