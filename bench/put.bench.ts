/** A property PUT through cloud, tunnel and agent to a device in memory, beside the bare relay with the same number of commits in a row. */
import { processorSeconds } from "../test/parts/process-figures.ts";
import { inTurn, load, median, of, pairs, print, putOfHue, ratio } from "./frame.ts";
import { COMMITS, startBare, startProduct } from "./product.ts";

const SECONDS = 4;
const ROUNDS = 3;

await using relay = await startBare({ cloud: 0, hub: 0 });
await using committing = await startBare(COMMITS);
await using product = await startProduct(1, 32);
const [productHub] = product.hubs;
if (!productHub) throw new Error("there is no hub");

const bareHeaders = { "content-type": "application/json" };
const echo = { ...relay, devices: [], headers: bareHeaders };
const bare = { ...committing, devices: [], headers: bareHeaders };
const ours = {
  url: product.url,
  cloud: product.cloud,
  hub: productHub,
  devices: product.devices,
  headers: product.headers,
};
const ways = [echo, bare, ours];
type Way = (typeof ways)[number];

async function measure({ url, cloud, hub, devices, headers }: Way, workers: number, seconds: number, rate?: number) {
  const before = [processorSeconds(cloud.pid), processorSeconds(hub.pid)] as const;
  const result = await load(url, {
    ...{ workers, seconds, ...(rate !== undefined && { rate }) },
    request: (worker, n) => putOfHue(devices[worker] ?? "x", headers, worker, n),
  });
  const us = (from: number, pid: number) => ((processorSeconds(pid) - from) * 1e6) / result.count;
  return { ...result, cloudUs: us(before[0], cloud.pid), hubUs: us(before[1], hub.pid) };
}
type Measured = Awaited<ReturnType<typeof measure>>;

const rounds = (workers: number, rate?: number) => inTurn(ROUNDS, ways, (way) => measure(way, workers, SECONDS, rate));

function row(
  what: string,
  all: Awaited<ReturnType<typeof rounds>>,
  read: (measured: Measured) => number,
  goal: string,
) {
  print(what, {
    measured: median(of(all, ours).map(read)),
    limit: median(of(all, bare).map(read)),
    ratio: ratio(pairs(all, ours, bare, read)),
    goal,
    "plain echo": median(of(all, echo).map(read)),
    "cloud µs a PUT": median(of(all, ours).map(({ cloudUs }) => cloudUs)),
    "hub µs a PUT": median(of(all, ours).map(({ hubUs }) => hubUs)),
  });
}

for (const way of ways) await measure(way, 32, 3);
const full = await rounds(32);
row("PUT, 32 in flight, answers a second", full, ({ rate }) => rate, ">= 0.60");
const half = median(of(full, ours).map(({ rate }) => rate)) / 2;
row("PUT, p99 at half the top rate, ms", await rounds(32, half), ({ p99 }) => p99, "<= 2");
row("PUT, one in flight, median ms", await rounds(1), ({ p50 }) => p50, "<= 1.4");
