/**
 * What a relayed PUT can cost on this machine with all its promises kept: from the bare limit, one promise after another is added by plain
 * functions (`steps/`); the product is the last row. What the product takes beyond the last step is its own; the rest is what is promised.
 */
import { type LoadResult, load } from "./load.ts";
import { type Pair, processorSeconds, startBare, startProduct } from "./parts.ts";
import { explain } from "./profile/explain.ts";
import { median, print, ratio } from "./report.ts";
import { startSteps } from "./steps/start.ts";
import { deviceIdOf, PROPERTY, SERVICE, STEPS, TOKEN } from "./steps/steps.ts";

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
  readonly headers: Readonly<Record<string, string>>;
}
interface Measured {
  readonly load: LoadResult;
  readonly cloudUs: number;
  readonly hubUs: number;
}

await using stack = new AsyncDisposableStack();
const limit = wayOf(
  "bare limit: one commit of one row in the cloud, two on the hub",
  stack.use(await startBare({ cloud: 1, hub: 2 })),
);
const steps: Way[] = [];
for (const [step, what] of STEPS) steps.push(wayOf(`+ ${what}`, stack.use(await startSteps(step, IN_FLIGHT))));
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
    ratio: ratio(pairs(full, way, ({ load }) => load.rate)),
    goal: way === ours ? ">= 0.60" : "no goal",
    "cloud µs": median(own.map(({ cloudUs }) => cloudUs)),
    "hub µs": median(own.map(({ hubUs }) => hubUs)),
    "both, of the limit's": ratio(pairs(full, way, ({ cloudUs, hubUs }) => cloudUs + hubUs)),
    "p99, ms": median(own.map((each) => each.load.p99)),
  });
}
const highest = steps.at(-1) ?? limit;
await explain("PUT, 32 in flight, all steps", { cloud: highest.cloud, hub: highest.hub }, async () => {
  return (await measure(highest, IN_FLIGHT, 4)).load.count;
});

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

type Round = ReadonlyMap<Way, Measured>;

/** Each in turn and for a short while, so that a machine that slows down between rounds does not show. */
async function rounds(ways: readonly Way[], workers: number, atMost?: number): Promise<readonly Round[]> {
  const done: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const measured = new Map<Way, Measured>();
    for (const way of ways) measured.set(way, await measure(way, workers, SECONDS, atMost));
    done.push(measured);
  }
  return done;
}

async function measure({ url, cloud, hub, device, headers }: Way, workers: number, seconds: number, atMost?: number) {
  const before = [processorSeconds(cloud.pid), processorSeconds(hub.pid)] as const;
  const result = await load(url, {
    ...{ workers, seconds, ...(atMost !== undefined && { rate: atMost }) },
    request: (worker, n) => ({
      method: "PUT",
      path: `/api/devices/${device(worker)}/services/${SERVICE}.${PROPERTY}`,
      headers,
      body: JSON.stringify({ value: ((worker * 7 + n) % 3600) / 10 }),
    }),
  });
  const us = (from: number, pid: number) => ((processorSeconds(pid) - from) * 1e6) / result.count;
  return { load: result, cloudUs: us(before[0], cloud.pid), hubUs: us(before[1], hub.pid) };
}

function of(measured: readonly Round[], way: Way): Measured[] {
  return measured.flatMap((round) => round.get(way) ?? []);
}

function pairs(measured: readonly Round[], way: Way, read: (of: Measured) => number): [number, number][] {
  return measured.flatMap((round) => {
    const [own, bare] = [round.get(way), round.get(limit)];
    return own && bare ? [[read(own), read(bare)] as [number, number]] : [];
  });
}

async function compare(what: string, measured: readonly Round[], read: (of: Measured) => number, goal: string) {
  for (const way of [highest, ours])
    print(`${what}: ${way === ours ? "the product" : "all steps"}`, {
      measured: median(of(measured, way).map(read)),
      limit: median(of(measured, limit).map(read)),
      ratio: ratio(pairs(measured, way, read)),
      goal: way === ours ? goal : "no goal",
      "cloud µs": median(of(measured, way).map(({ cloudUs }) => cloudUs)),
      "hub µs": median(of(measured, way).map(({ hubUs }) => hubUs)),
    });
}
