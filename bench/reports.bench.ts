/** Reports from the devices of three hubs to committed events, beside batched SQLite inserts of the same rows; and a backlog drained. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { eventually } from "../test/parts/eventually.ts";
import { Program } from "../test/parts/program.ts";
import { median, print, ratio } from "./frame.ts";
import { startProduct } from "./product.ts";

/** One alone is held to its budget, which is less than the cloud takes. */
const HUBS = 3;
const COUNT = 60_000;
const BACKLOG = 100_000;
const ROUNDS = 3;
const BATCH = 200;

await using product = await startProduct(HUBS, 11);
const [hub] = product.hubs;
if (!hub) throw new Error("no hub");
const db = new Sqlite(join(product.folder, "cloud", "cloud.db"), { readonly: true });
const sequence = () => (db.prepare("select max(sequence) as n from events").get() as { n: number }).n;

const report = async (): Promise<void> => {
  const before = sequence();
  for (const each of product.hubs) each.tell(`report ${COUNT / HUBS}`);
  await eventually("every report is an event", async () => sequence() >= before + COUNT, 120_000);
};

const pairs: [number, number][] = [];
for (let round = 0; round < ROUNDS; round++) {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-bare-"));
  const args = ["inserts", join(folder, "rows.db"), String(COUNT), String(BATCH)];
  await using bare = new Program("bare inserts", "bench/bare.ts", args);
  const limit = await bare.line((line) => (line.startsWith("rate ") ? Number(line.slice(5)) : undefined));
  rmSync(folder, { recursive: true });
  const start = performance.now();
  await report();
  pairs.push([(COUNT / (performance.now() - start)) * 1000, limit]);
}
print("reports of three hubs to committed event, a second", {
  measured: median(pairs.map(([rate]) => rate)),
  limit: median(pairs.map(([, rate]) => rate)),
  ratio: ratio(pairs),
  goal: ">= 0.45",
});

const before = sequence();
await product.cloud.kill();
hub.tell(`report ${BACKLOG}`);
await hub.next((line) => (line === "reported" ? true : undefined));
await product.restartCloud();
await eventually("the first record of the backlog is an event", async () => sequence() > before, 120_000);
const start = performance.now();
await eventually("the backlog is drained", async () => sequence() >= before + BACKLOG, 120_000);
const seconds = (performance.now() - start) / 1000;
print(`${BACKLOG} queued reports of one hub drained, s`, {
  measured: seconds,
  limit: 10,
  ratio: seconds / 10,
  goal: "<= 10 s",
});
db.close();
