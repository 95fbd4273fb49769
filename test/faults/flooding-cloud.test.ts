/** A cloud that floods a hub with commands while its device does not answer: the agent's memory is bounded, and it serves on. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Program } from "../parts/program.ts";
import { LAMP, SimulatorProgram } from "../parts/simulator.ts";
import { FloodingCloud } from "./flooding-cloud.fixture.ts";

/** Commands of each kind, and the size of a value. The hub takes 2,000 commands and 4 MiB at once. */
const FLOODS = [
  { count: 4_000, value: 120 },
  { count: 8_000, value: "x".repeat(16_000) },
] as const;
/** Longer than the flood. */
const WAIT_MS = 120_000;
/** An agent that holds more than this in memory ends at once, MB: with all commands of the flood open, it would hold twice as much. */
const HEAP = "--max-old-space-size=96";
/** Most that the agent's resident memory may grow by, MB: about twice the measured growth. */
const MOST_GROWTH = 350;

/** Largest resident memory of a process in its life, and that of now, MB. */
function memoryOf(pid: number): { readonly peak: number; readonly now: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
  return { peak: megabytes("VmHWM"), now: megabytes("VmRSS") };
}

test("a flood of commands leaves the agent's memory bounded, each command too many is refused by name, and the hub serves on", async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-flood-"));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const simulator = stack.use(await SimulatorProgram.start(join(folder, "lines")));
  const cloud = stack.use(await FloodingCloud.start());
  writeFileSync(join(folder, "token"), "plt_cli_flood", { mode: 0o600 });
  const settings = ["--cloud", cloud.url, "--data", join(folder, "data"), "--token-file", join(folder, "token")];
  const lines = simulator.lines.flatMap((line) => ["--serial", line]);
  const agent = stack.use(
    new Program("agent", "agent/src/main.ts", ["run", ...settings, ...lines], { NODE_OPTIONS: HEAP }),
  );
  await eventually("the lamp is online", async () => cloud.online.has(LAMP));

  const before = memoryOf(agent.pid).now;
  // The lamp does not answer: what the hub takes waits.
  simulator.program.signal("SIGSTOP");
  const flood = async () => {
    const ends: Promise<{ outcome: string; failure?: { detail: string } }>[] = [];
    for (const { count, value } of FLOODS)
      for (let sent = 0; sent < count; sent++)
        ends.push((await cloud.command({ device: LAMP, value, waitMs: WAIT_MS })).answer);
    simulator.program.signal("SIGCONT");
    return Promise.all(ends);
  };
  const dead = agent.ended.then(() => Promise.reject(new Error(`the agent ended:\n${agent.stderr}`)));
  const ended = await Promise.race([flood(), dead]);
  const { peak, now } = memoryOf(agent.pid);
  const refused = ended.filter(({ failure }) => failure?.detail.startsWith("Too many requests wait"));
  console.info(
    `${ended.length} commands, ${refused.length} refused; memory of the agent, MB: ` +
      `${before.toFixed(0)} before, ${peak.toFixed(0)} at most, ${now.toFixed(0)} after`,
  );
  expect(refused.length).toBeGreaterThan(8_000);
  expect(refused.every(({ outcome }) => outcome === "not_applied")).toBe(true);
  expect(peak - before).toBeLessThan(MOST_GROWTH);

  expect(cloud.connections).toBe(1);
  await eventually("the lamp is set", async () => {
    const { answer } = await cloud.command({ device: LAMP, value: 200, waitMs: 10_000 });
    return (await answer).outcome === "confirmed";
  });
  expect(await simulator.value(LAMP, "LightColor.hue")).toBe(200);
});
