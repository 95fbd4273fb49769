/**
 * An ecosystem of 100,000 devices and 1,000,000 property values: what an item of a cached query costs there, against an ecosystem of
 * one small home; how long the first query of an environment takes, which reads it into memory; and what others wait for meanwhile.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type LargeProduct, startLarge } from "./many-devices.ts";
import { median, print, ratio } from "./report.ts";
import { type BenchStore, STORES } from "./stores.ts";

const ROUNDS = 30;
const BIG_HOME = 10_000;
const SMALL_HOME = 1000;
const SELECTOR = "services/LightColor.hue";

for (const start of STORES) {
  await using store = await start();
  await using smallStore = await start();
  await measure(store, smallStore.database);
}

/** @param other of the small home */
async function measure({ name, database }: BenchStore, other: string | undefined): Promise<void> {
  const big = await startLarge({ environments: 10, devicesEach: BIG_HOME, valuesEach: 10 }, database);
  await using _big = big.product;
  const small = await startLarge({ environments: 1, devicesEach: SMALL_HOME, valuesEach: 10 }, other);
  await using _small = small.product;

  const cold = await whileOthersAsk(big, () => query(big, 0));
  print(`first query of an environment of 100,000 values, ${name}, ms`, {
    measured: cold.ms,
    limit: 50,
    ratio: cold.longestWait / 50,
    goal: "another's wait <= 50 ms",
    longestWait: cold.longestWait,
  });

  for (let warm = 0; warm < 5; warm++) {
    await query(big, 0);
    await query(small, 0);
  }
  const pairs: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const far = await query(big, 0);
    const near = await query(small, 0);
    pairs.push([(far / BIG_HOME) * 1000, (near / SMALL_HOME) * 1000]);
  }
  const warm = await whileOthersAsk(big, () => query(big, 0));
  print(`cached query in 100,000 devices, ${name}, µs an item`, {
    measured: median(pairs.map(([us]) => us)),
    limit: median(pairs.map(([, us]) => us)),
    ratio: ratio(pairs),
    goal: "<= 1.2 (flat)",
    longestWait: warm.longestWait,
  });

  const pages: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const far = await page(big);
    pages.push([far, await page(small)]);
  }
  const listing = await whileOthersAsk(big, () => page(big));
  print(`page of 1,000 devices in 100,000, ${name}, ms`, {
    measured: median(pages.map(([ms]) => ms)),
    limit: median(pages.map(([, ms]) => ms)),
    ratio: ratio(pages),
    goal: "<= 1.2 (flat)",
    longestWait: listing.longestWait,
  });
}

async function query({ product, environments }: LargeProduct, which: number): Promise<number> {
  const start = performance.now();
  const url = `${product.url}/api/environments/${environments[which]}/${SELECTOR}`;
  await (await fetch(url, { headers: product.headers })).arrayBuffer();
  return performance.now() - start;
}

async function page({ product }: LargeProduct): Promise<number> {
  const start = performance.now();
  await (await fetch(`${product.url}/api/devices`, { headers: product.headers })).arrayBuffer();
  return performance.now() - start;
}

/** Runs something while another asks whether the cloud is there, again and again; gives the longest that it waited. */
async function whileOthersAsk({ product }: LargeProduct, work: () => Promise<number>) {
  let longestWait = 0;
  let over = false;
  const ask = async () => {
    while (!over) {
      const start = performance.now();
      await (await fetch(`${product.url}/healthz`)).arrayBuffer();
      longestWait = Math.max(longestWait, performance.now() - start);
      await sleep(1);
    }
  };
  const asking = ask();
  await sleep(50);
  longestWait = 0;
  const ms = await work();
  over = true;
  await asking;
  return { ms, longestWait };
}
