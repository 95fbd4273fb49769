/**
 * What a relayed PUT can cost on this machine with all its promises kept: from the bare limit, one promise after another is added by plain
 * functions (`steps/`); the product is the last row. What the product takes beyond the last step is its own; the rest is what is promised.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processorSeconds } from "../test/parts/process-figures.ts";
import { Program } from "../test/parts/program.ts";
import { inTurn, type LoadResult, load, median, of, pairs, print, putOfHue, ratio } from "./frame.ts";
import { COMMITS, listening, type Pair, ready, startBare, startProduct } from "./product.ts";
import { deviceIdOf, STEPS, type Step, TOKEN } from "./steps/steps.ts";

const IN_FLIGHT = 32;
const SECONDS = 0.6;
const ROUNDS = 8;
/** Until V8 has compiled what runs: more runs in the product. */
const WARM_SECONDS = { step: 2, product: 6 };

interface Way {
  readonly name: string;
  readonly url: string;
  readonly cloud: Pair["cloud"];
  readonly hub: Pair["hub"];
  readonly device: (worker: number) => string;
  readonly headers: Record<string, string>;
}
interface Measured {
  readonly load: LoadResult;
  readonly cloudUs: number;
  readonly hubUs: number;
}

await using stack = new AsyncDisposableStack();
const limit = wayOf(
  "bare limit: one commit of one row in the cloud, two on the hub",
  stack.use(await startBare(COMMITS)),
);
const steps: Way[] = [];
for (const [step, what] of STEPS) steps.push(wayOf(`+ ${what}`, stack.use(await startSteps(step))));
const product = stack.use(await startProduct(1, IN_FLIGHT));
const [hub] = product.hubs;
if (!hub) throw new Error("there is no hub");
const ours: Way = {
  ...{ name: "the product", url: product.url, cloud: product.cloud, hub, headers: product.headers },
  device: (worker) => product.devices[worker] ?? "",
};
const all = [limit, ...steps, ours];

for (const way of all) await measure(way, IN_FLIGHT, way === ours ? WARM_SECONDS.product : WARM_SECONDS.step);
const full = await rounds(all, IN_FLIGHT);
for (const way of all) {
  const own = of(full, way);
  const rates = own.map((each) => each.load.rate);
  print(`PUT, 32 in flight, answers a second: ${way.name}`, {
    measured: median(rates),
    limit: median(of(full, limit).map((each) => each.load.rate)),
    ratio: ratio(pairs(full, way, limit, ({ load }) => load.rate)),
    goal: way === ours ? ">= 0.60" : "no goal",
    "cloud µs": median(own.map(({ cloudUs }) => cloudUs)),
    "hub µs": median(own.map(({ hubUs }) => hubUs)),
    "both, of the limit's": ratio(pairs(full, way, limit, ({ cloudUs, hubUs }) => cloudUs + hubUs)),
    "p99, ms": median(own.map((each) => each.load.p99)),
  });
}
const highest = steps.at(-1) ?? limit;
const rate = median(of(full, ours).map((each) => each.load.rate)) / 2;
await compare(
  "PUT, p99 at half the product's top rate, ms",
  await rounds([limit, highest, ours], IN_FLIGHT, rate),
  ({ load }) => load.p99,
  "<= 2",
);
await compare(
  "PUT, one in flight, median ms",
  await rounds([limit, highest, ours], 1),
  ({ load }) => load.p50,
  "<= 1.4",
);

function wayOf(name: string, { url, cloud, hub }: Pair): Way {
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  return { name, url, cloud, hub, device: deviceIdOf, headers };
}

/** A cloud and a hub of the ladder. @param last the highest step that both have */
async function startSteps(last: Step): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-steps-"));
  for (const name of ["cloud", "hub"]) mkdirSync(join(folder, name));
  const args = [join(folder, "cloud"), last, String(IN_FLIGHT)];
  const cloud = new Program("cloud of steps", "bench/steps/cloud.ts", args);
  const url = await cloud.line(listening);
  const hub = new Program("hub of steps", "bench/steps/hub.ts", [url.replace("http", "ws"), join(folder, "hub"), last]);
  await hub.line(ready);
  const end = async () => {
    for (const program of [hub, cloud]) await program[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, cloud, hub, [Symbol.asyncDispose]: end };
}

function rounds(ways: readonly Way[], workers: number, atMost?: number) {
  return inTurn(ROUNDS, ways, (way) => measure(way, workers, SECONDS, atMost));
}

async function measure({ url, cloud, hub, device, headers }: Way, workers: number, seconds: number, atMost?: number) {
  const before = [processorSeconds(cloud.pid), processorSeconds(hub.pid)] as const;
  const result = await load(url, {
    ...{ workers, seconds, ...(atMost !== undefined && { rate: atMost }) },
    request: (worker, n) => putOfHue(device(worker), headers, worker, n),
  });
  const us = (from: number, pid: number) => ((processorSeconds(pid) - from) * 1e6) / result.count;
  return { load: result, cloudUs: us(before[0], cloud.pid), hubUs: us(before[1], hub.pid) };
}

async function compare(
  what: string,
  measured: Awaited<ReturnType<typeof rounds>>,
  read: (of: Measured) => number,
  goal: string,
) {
  for (const way of [highest, ours])
    print(`${what}: ${way === ours ? "the product" : "all steps"}`, {
      measured: median(of(measured, way).map(read)),
      limit: median(of(measured, limit).map(read)),
      ratio: ratio(pairs(measured, way, limit, read)),
      goal: way === ours ? goal : "no goal",
      "cloud µs": median(of(measured, way).map(({ cloudUs }) => cloudUs)),
      "hub µs": median(of(measured, way).map(({ hubUs }) => hubUs)),
    });
}
