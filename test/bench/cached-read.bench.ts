/** The cached environment query, against Fastify that returns the very same JSON; and with 10,000 devices, against JSON.stringify of it. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Program } from "../parts/program.ts";
import { load } from "./load.ts";
import { startProduct } from "./parts.ts";
import { explain } from "./profile/explain.ts";
import { median, print, ratio } from "./report.ts";
import { type BenchStore, STORES } from "./stores.ts";

const ROUNDS = 3;

for (const start of STORES) {
  await using store = await start();
  await twentyItems(store);
}
await tenThousandDevices();

async function twentyItems({ name, database }: BenchStore): Promise<void> {
  await using product = await startProduct(1, 20, { database });
  const path = `/api/environments/${product.environmentId}/services/LightColor.hue`;
  const file = join(mkdtempSync(join(tmpdir(), "porchlight-bare-")), "answer.json");
  writeFileSync(file, JSON.stringify(await product.api.good("GET", path)));
  await using bare = new Program("bare read", "test/bench/bare/answer.ts", [file]);
  const bareUrl = await bare.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
  const request = () => ({ method: "GET" as const, path, headers: product.headers });
  await load(product.url, { workers: 32, seconds: 2, request });
  await load(bareUrl, { workers: 32, seconds: 2, request });
  const pairs: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const limit = await load(bareUrl, { workers: 32, seconds: 4, request });
    pairs.push([(await load(product.url, { workers: 32, seconds: 4, request })).rate, limit.rate]);
  }
  const once = async () => (await load(product.url, { workers: 32, seconds: 4, request })).count;
  await explain(`cached query, 20 items, ${name}`, { cloud: product.cloud }, once);
  print(`cached query, 20 items, ${name}, answers a second`, {
    measured: median(pairs.map(([rate]) => rate)),
    limit: median(pairs.map(([, rate]) => rate)),
    ratio: ratio(pairs),
    goal: ">= 0.7",
  });
}

async function tenThousandDevices(): Promise<void> {
  await using product = await startProduct(10, 1000);
  const path = `/api/environments/${product.environmentId}/services/LightColor.hue`;
  const whole = await product.api.good<{ items: unknown[] }>("GET", path);
  const once = async () => {
    const start = performance.now();
    const response = await fetch(`${product.url}${path}`, { headers: product.headers });
    await response.arrayBuffer();
    return performance.now() - start;
  };
  const stringify = () => {
    const start = performance.now();
    JSON.stringify(whole);
    return performance.now() - start;
  };
  for (let warm = 0; warm < 20; warm++) {
    await once();
    stringify();
  }
  const pairs: [number, number][] = [];
  for (let round = 0; round < 20; round++) pairs.push([await once(), stringify()]);
  print(`cached query, ${whole.items.length} devices, ms`, {
    measured: median(pairs.map(([ms]) => ms)),
    limit: median(pairs.map(([, ms]) => ms)),
    ratio: ratio(pairs),
    goal: "<= 3",
  });
}
