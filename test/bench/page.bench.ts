/** A page far into a listing against its first page: both are to cost the same, however much stands before. */
import { startLarge } from "./many-devices.ts";
import type { Product } from "./parts.ts";
import { median, print, ratio } from "./report.ts";
import { type BenchStore, STORES } from "./stores.ts";

const SIZE = 100;
const PAGES = 1000;
const ROUNDS = 200;

for (const start of STORES) {
  await using store = await start();
  await pages(store);
}

async function pages({ name, database }: BenchStore): Promise<void> {
  const { product } = await startLarge({ environments: 10, devicesEach: (SIZE * PAGES) / 10, valuesEach: 0 }, database);
  await using _ending = product;
  const first = `/api/devices?pageSize=${SIZE}`;
  let last = first;
  for (let page = 1; page < PAGES; page++) {
    const { continuationToken } = await product.api.good<{ continuationToken: string }>("GET", last);
    last = `${first}&continuationToken=${encodeURIComponent(continuationToken)}`;
  }
  await time(product, first);
  const pairs: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round++) pairs.push([await time(product, last), await time(product, first)]);
  print(`page ${PAGES} of devices, ${SIZE} each, ${name}, ms`, {
    measured: median(pairs.map(([ms]) => ms)),
    limit: median(pairs.map(([, ms]) => ms)),
    ratio: ratio(pairs),
    goal: "<= 1.2",
  });
}

async function time({ api }: Product, path: string): Promise<number> {
  const start = performance.now();
  const { items } = await api.good<{ items: unknown[] }>("GET", path);
  if (items.length !== SIZE) throw new Error(`${path}: ${items.length} devices`);
  return performance.now() - start;
}
