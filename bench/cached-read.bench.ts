/** The cached environment query, beside Fastify that returns the very same JSON; and with 10,000 devices, beside JSON.stringify of it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Program } from "../test/parts/program.ts";
import { type BenchStore, load, median, print, ratio, STORES } from "./frame.ts";
import { listening, startProduct } from "./product.ts";

const ROUNDS = 3;
const IN_FLIGHT = 32;

for (const start of STORES) {
  await using store = await start();
  await twentyItems(store);
}
await tenThousandDevices();

async function twentyItems({ name, database }: BenchStore): Promise<void> {
  await using product = await startProduct(1, 20, { database });
  const path = `/api/environments/${product.environmentId}/services/LightColor.hue`;
  const folder = mkdtempSync(join(tmpdir(), "porchlight-bare-"));
  const file = join(folder, "answer.json");
  writeFileSync(file, JSON.stringify(await product.api.good("GET", path)));
  await using bare = new Program("bare read", "bench/bare.ts", ["answer", file]);
  const bareUrl = await bare.line(listening);
  const request = () => ({ method: "GET" as const, path, headers: product.headers });
  const rate = async (url: string, seconds: number) => (await load(url, { workers: IN_FLIGHT, seconds, request })).rate;
  for (const url of [product.url, bareUrl]) await rate(url, 2);
  const pairs: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const limit = await rate(bareUrl, 4);
    pairs.push([await rate(product.url, 4), limit]);
  }
  rmSync(folder, { recursive: true });
  print(`cached query, 20 items, ${name}, answers a second`, { ...figuresOf(pairs), goal: ">= 0.75" });
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
  print(`cached query, ${whole.items.length} devices, ms`, { ...figuresOf(pairs), goal: "<= 3" });
}

function figuresOf(pairs: readonly (readonly [number, number])[]) {
  return {
    measured: median(pairs.map(([measured]) => measured)),
    limit: median(pairs.map(([, limit]) => limit)),
    ratio: ratio(pairs),
  };
}
