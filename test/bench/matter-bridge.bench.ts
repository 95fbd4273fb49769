/**
 * The bridge to Matter with a hundred devices: its memory, how soon a controller of another version is paired, and how long a command and a
 * report take. Bundled as the package has it, with the agent's flags for V8 and the service's environment, and with a hub that answers at once.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { privateMegabytes } from "@porchlight/agent/drivers/child/process/memory-watch.ts";
import { eventually } from "../parts/eventually.ts";
import { ControllerNetwork } from "../parts/matter/controller-network.ts";
import { Controller } from "../parts/matter/controller-program.ts";
import { PlayedHub } from "../parts/matter/played-hub.ts";
import { ROOT } from "../parts/program.ts";
import { rounds } from "../parts/rounds.ts";
import { median, print } from "./report.ts";

const DEVICES = 100;
/** In turn, as most homes have them. */
const KINDS = [["Switch", "LightLevel"], ["Switch"], ["Temperature", "Humidity"], ["Contact", "Battery"]];
const COMMANDS = rounds(100, 1000);

/** Plain JavaScript, so that its shape is said here. */
interface Scripts {
  readonly AGENT: { readonly v8: readonly string[] };
  bundleOneFile(entry: string): Promise<{ readonly code: string }>;
}
const script = (name: string): Promise<Scripts> => import(join(ROOT, "scripts", name));

const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));
const bundle = join(folder, "porchlight-matter-bridge.cjs");
writeFileSync(bundle, (await (await script("agent/one-file.mjs")).bundleOneFile("matter-bridge/src/main.ts")).code);
const { v8 } = (await script("agent/programs.mjs")).AGENT;
const unit = readFileSync(join(ROOT, "packaging/matter-bridge/porchlight-matter-bridge.service"), "utf8");
const memory = [...unit.matchAll(/^Environment=(MALLOC_\w+)=(\d+)$/gm)].map(([, name = "", value]) => [name, value]);

for (const count of [1, DEVICES]) {
  using network = new ControllerNetwork();
  await using hub = await PlayedHub.start(
    network.here,
    Array.from({ length: count }, (_, number) => KINDS[number % KINDS.length] ?? []),
  );
  const data = join(folder, `data-${count}`);
  const token = join(folder, "token");
  writeFileSync(token, "plt_loc_bench\n");
  const [command = "", ...within] = [...network.within("hub"), process.execPath, ...v8, bundle];
  const began = performance.now();
  const bridge = spawn(
    command,
    [...within, "--data", data, "--hub", hub.url, "--token-file", token, "--log-level", "warn"],
    {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, ...Object.fromEntries(memory) },
    },
  );
  const code = await eventually("the bridge is open", async () => {
    return hub.bridge.devices === count ? hub.bridge.manualCode : undefined;
  });
  const openMs = performance.now() - began;
  await using controller = await Controller.start(network.within("controller"));
  const { pairedMs, knownMs } = await controller.pair(code);
  const { number = 0 } = (await controller.device("Device 0")) ?? {};
  const commands: number[] = [];
  for (let n = 0; n < COMMANDS; n += 1)
    commands.push(await controller.invoke(number, "onOff", n % 2 === 0 ? "on" : "off"));
  const reports: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    const from = performance.now();
    hub.changes(0, "Switch", "on", n % 2 === 0);
    await eventually(
      "it is told",
      async () => (await controller.attribute(number, "onOff", "onOff")) === (n % 2 === 0),
    );
    reports.push(performance.now() - from);
  }
  const megabytes = privateMegabytes(bridge.pid ?? 0) ?? Number.NaN;
  bridge.kill("SIGTERM");
  await new Promise((resolve) => bridge.once("exit", resolve));
  print(`a Matter bridge with ${count} devices: memory of its own, MB (limit: of a child with Matter, by the study)`, {
    ...{ measured: megabytes, limit: 80, ratio: megabytes / 80, goal: "told" },
    ...{ "open after ms": openMs, "paired in ms": pairedMs, "all known after ms": knownMs },
    ...{ "command ms": median(commands), "report ms, seen within 25": median(reports) },
  });
}
rmSync(folder, { recursive: true, force: true });
