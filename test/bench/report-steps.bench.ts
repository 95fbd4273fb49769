/**
 * What a report can cost on this machine with all its promises kept: from the bare inserts, one promise after another is added by plain
 * functions (`steps/`); the product is the last row. One hub each, since what counts is the processor time.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { eventually } from "../parts/eventually.ts";
import { Program } from "../parts/program.ts";
import { processorSeconds, startProduct } from "./parts.ts";
import { explain } from "./profile/explain.ts";
import { median, print, ratio } from "./report.ts";
import { startSteps } from "./steps/start.ts";
import type { Step } from "./steps/steps.ts";

const DEVICES = 11;
const HUBS = 3;
const COUNT = 15_000;
const ROUNDS = 5;
const BATCH = "200";
const PATIENCE_MS = 60_000;

interface Way {
  readonly name: string;
  readonly cloud: Program;
  readonly hubs: readonly Program[];
  /** How many events there are. */
  readonly events: () => number;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}
interface Measured {
  readonly rate: number;
  readonly cloudUs: number;
  readonly hubUs: number;
}

await using stack = new AsyncDisposableStack();
const ways = [
  stack.use(
    await steps("fence", "sent by a hub that stores nothing; value, event, counter and position rows under the lease"),
  ),
  stack.use(await steps("outbox", "stored by the hub first, with its checksums, and acknowledged")),
  stack.use(await steps("history", "history recorded in the cloud and on the hub")),
  stack.use(await ours()),
];

// What runs on Node.js is compiled while it runs.
for (const way of ways) for (let round = 0; round < 2; round++) await measure(way);
const limits: number[] = [];
const measured = new Map<Way, Measured[]>(ways.map((way) => [way, []]));
for (let round = 0; round < ROUNDS; round++) {
  limits.push(await bareRate());
  for (const way of ways) measured.get(way)?.push(await measure(way));
}
for (const way of ways) {
  const own = measured.get(way) ?? [];
  print(`reports to committed events, a second: ${way.name}`, {
    measured: median(own.map(({ rate }) => rate)),
    limit: median(limits),
    ratio: ratio(own.map(({ rate }, round) => [rate, limits[round] ?? Number.NaN])),
    goal: way === ways.at(-1) ? ">= 0.45" : "no goal",
    "cloud µs": median(own.map(({ cloudUs }) => cloudUs)),
    "hub µs": median(own.map(({ hubUs }) => hubUs)),
  });
}
const product = ways.at(-1);
const [hub] = product?.hubs ?? [];
if (product && hub)
  await explain("reports, the product", { cloud: product.cloud, hub }, async () => {
    for (let round = 0; round < 4; round++) await measure(product);
    return 4 * COUNT;
  });

async function steps(last: Step, what: string): Promise<Way> {
  const pair = await startSteps(last, DEVICES);
  const db = new Sqlite(join(pair.folder, "cloud", "cloud.db"), { readonly: true });
  return {
    name: `+ ${what}`,
    cloud: pair.cloud,
    hubs: [pair.hub],
    events: counted(db),
    async [Symbol.asyncDispose]() {
      db.close();
      await pair[Symbol.asyncDispose]();
    },
  };
}

async function ours(): Promise<Way> {
  // One hub alone is held to its budget, which is less than the cloud takes.
  const home = await startProduct(HUBS, DEVICES);
  const db = new Sqlite(join(home.folder, "cloud", "cloud.db"), { readonly: true });
  return {
    name: "the product, three hubs",
    cloud: home.cloud,
    hubs: home.hubs,
    events: counted(db),
    async [Symbol.asyncDispose]() {
      db.close();
      await home[Symbol.asyncDispose]();
    },
  };
}

function counted(db: Sqlite.Database): () => number {
  const sequence = db.prepare<[], number | null>("select max(sequence) from events").pluck();
  return () => sequence.get() ?? 0;
}

async function measure({ cloud, hubs, events }: Way): Promise<Measured> {
  const seconds = () => [cloud, ...hubs].map(({ pid }) => processorSeconds(pid));
  const [before, used, start] = [events(), seconds(), performance.now()];
  for (const hub of hubs) hub.tell(`report ${COUNT / hubs.length}`);
  await eventually("every report is an event", async () => events() >= before + COUNT, PATIENCE_MS);
  const took = performance.now() - start;
  const [cloudUs = 0, ...hubUs] = seconds().map((now, at) => ((now - (used[at] ?? 0)) * 1e6) / COUNT);
  return { rate: (COUNT / took) * 1000, cloudUs, hubUs: hubUs.reduce((sum, us) => sum + us, 0) };
}

/** Rows of values and events by one process that does nothing else. */
async function bareRate(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-bare-"));
  await using bare = new Program("bare inserts", "test/bench/bare/insert-rows.ts", [
    join(folder, "rows.db"),
    String(COUNT),
    BATCH,
  ]);
  try {
    return await bare.line((line) => (line.startsWith("rate ") ? Number(line.slice(5)) : undefined));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
