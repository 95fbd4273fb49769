/** A property PUT through cloud, tunnel and agent to a device in memory, against the bare relay with the same number of commits in a row. */
import { type LoadResult, load } from "./load.ts";
import { processorSeconds, startBare, startProduct } from "./parts.ts";
import { explain } from "./profile/explain.ts";
import { median, print, ratio } from "./report.ts";

const SECONDS = 4;
const ROUNDS = 3;
/** The hub commits before and after it touches a device, the cloud once with command, value and event. */
const COMMITS = { cloud: 1, hub: 2 };

await using echo = await startBare({ cloud: 0, hub: 0 });
await using bare = await startBare(COMMITS);
await using product = await startProduct(1, 32);

const put = (path: string, headers: Record<string, string>) => (worker: number, n: number) => ({
  method: "PUT" as const,
  path,
  headers,
  body: JSON.stringify({ value: ((worker * 7 + n) % 3600) / 10 }),
});
const barePut = put("/api/devices/x/services/LightColor.hue", { "content-type": "application/json" });
const productPut = (worker: number, n: number) =>
  put(`/api/devices/${product.devices[worker]}/services/LightColor.hue`, product.headers)(worker, n);

async function measure(workers: number, rate?: number) {
  const options = { workers, seconds: SECONDS, ...(rate === undefined ? {} : { rate }) };
  const rounds: { echo: LoadResult; bare: LoadResult; product: LoadResult; cloudUs: number; hubUs: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const echoed = await load(echo.url, { ...options, request: barePut });
    const bared = await load(bare.url, { ...options, request: barePut });
    const [hub] = product.hubs;
    const before = { cloud: processorSeconds(product.cloud.pid), hub: processorSeconds(hub?.pid ?? 0) };
    const result = await load(product.url, { ...options, request: productPut });
    const us = (from: number, pid: number) => ((processorSeconds(pid) - from) * 1e6) / result.count;
    rounds.push({
      echo: echoed,
      bare: bared,
      product: result,
      cloudUs: us(before.cloud, product.cloud.pid),
      hubUs: us(before.hub, hub?.pid ?? 0),
    });
  }
  return rounds;
}

await load(product.url, { workers: 32, seconds: 3, request: productPut });
await load(bare.url, { workers: 32, seconds: 2, request: barePut });
await load(echo.url, { workers: 32, seconds: 2, request: barePut });

const full = await measure(32);
print("PUT, 32 in flight, answers a second", {
  measured: median(full.map((round) => round.product.rate)),
  limit: median(full.map((round) => round.bare.rate)),
  ratio: ratio(full.map((round) => [round.product.rate, round.bare.rate])),
  goal: ">= 0.55",
  "plain echo": median(full.map((round) => round.echo.rate)),
  "cloud µs a PUT": median(full.map((round) => round.cloudUs)),
  "hub µs a PUT": median(full.map((round) => round.hubUs)),
});

const explained = (workers: number, rate?: number) => async () => {
  const seconds = { seconds: SECONDS, ...(rate === undefined ? {} : { rate }) };
  return (await load(product.url, { workers, ...seconds, request: productPut })).count;
};
const [hub] = product.hubs;
const programs = { cloud: product.cloud, ...(hub && { hub }) };
await explain("PUT, 32 in flight", programs, explained(32));

const half = await measure(32, median(full.map((round) => round.product.rate)) / 2);
print("PUT, p99 at half the top rate, ms", {
  measured: median(half.map((round) => round.product.p99)),
  limit: median(half.map((round) => round.bare.p99)),
  ratio: ratio(half.map((round) => [round.product.p99, round.bare.p99])),
  goal: "<= 2",
});

await explain("PUT, half the top rate", programs, explained(32, median(full.map((round) => round.product.rate)) / 2));

const single = await measure(1);
print("PUT, one in flight, p50 latency, ms", {
  measured: median(single.map((round) => round.product.p50)),
  limit: median(single.map((round) => round.bare.p50)),
  ratio: ratio(single.map((round) => [round.product.p50, round.bare.p50])),
  goal: "<= 1.5",
  "plain echo": median(single.map((round) => round.echo.p50)),
});
await explain("PUT, one in flight", programs, explained(1));
