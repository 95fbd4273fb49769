/** The hubs of a run in one process: `run SECONDS` on stdin makes them report, each at its own beat; `sent N` on stdout is what they reported. */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { SimulatedHub } from "../product/simulated-hub.ts";
import type { HubsPlan } from "./plan.ts";

const plan: HubsPlan = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const hubs: SimulatedHub[] = [];
for (const [at, token] of plan.tokens.entries())
  hubs.push(await SimulatedHub.connect({ url: plan.url, token, number: at + 1, devices: plan.devicesPerHub }));
process.stdout.write("ready\n");

createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, seconds = "0"] = line.split(" ");
  if (command === "run") void run(Number(seconds));
});

async function run(seconds: number): Promise<void> {
  const sent = await Promise.all(hubs.map((hub, at) => reports(hub, at, seconds)));
  process.stdout.write(`sent ${sent.reduce((sum, count) => sum + count, 0)}\n`);
}

/** All that are due, however late: a hub that is held up loses none. */
async function reports(hub: SimulatedHub, at: number, seconds: number): Promise<number> {
  const { devicesPerHub, reportsPerHub } = plan;
  const beat = 1000 / reportsPerHub;
  const begin = performance.now() + (beat * at) / hubs.length;
  const total = seconds * reportsPerHub;
  const reported: Promise<void>[] = [];
  for (let n = 0; n < total; n++) {
    const wait = begin + n * beat - performance.now();
    if (wait > 0) await sleep(wait);
    reported.push(hub.report(n % devicesPerHub, Math.floor(n / devicesPerHub) + 1));
  }
  await Promise.all(reported);
  return total;
}
