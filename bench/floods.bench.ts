/**
 * The effect on one tenant of floods by another, or by callers without a token: the 99th percentile of its PUTs, quiet and flooded in turn, on a cloud with
 * the limits that it has by default; and what the cloud's memory is before, at most, and a minute after.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { memoryBytes } from "../test/parts/process-figures.ts";
import { Program } from "../test/parts/program.ts";
import { type LoadResult, load, median, print, putOfHue, ratio } from "./frame.ts";
import { addClient, signUp, startProduct } from "./product.ts";

const ROUNDS = 3;
const SECONDS = 5;
/** Below the default limit of requests for one token. */
const PUTS_A_SECOND = 120;
const WORKERS = 12;
/** Before a flood is measured, ms: it has used its burst by then. */
const ONSET_MS = 1_000;
const CALM_MS = 1_500;
const MINUTE_MS = 60_000;
const LARGE_ZONES = 300;
const LARGE_META = 60_000;

await using product = await startProduct(1, WORKERS, { "rate-limit": undefined });
const tokenFile = await otherTenant();
await using flood = new Program("flood", "bench/flood.ts", [product.url, tokenFile]);
const names = await flood.line((line): string[] => JSON.parse(line));

const put = (worker: number, n: number) => putOfHue(product.devices[worker] ?? "", product.headers, worker, n);
const puts = (): Promise<LoadResult> =>
  load(product.url, { workers: WORKERS, seconds: SECONDS, rate: PUTS_A_SECOND, request: put });

const wanted = process.env.PORCHLIGHT_FLOODS?.split(",");
await puts();
const before = megabytes();
let most = before;
const watch = setInterval(() => {
  most = Math.max(most, megabytes());
}, 250);

for (const name of names) {
  if (wanted && !wanted.some((word) => name.includes(word))) continue;
  const turns: number[] = [];
  const rounds: { quiet: LoadResult; flooded: LoadResult; sent: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const quiet = await puts();
    flood.tell(`start ${name}`);
    await pause(ONSET_MS);
    await longestTurn();
    const flooded = await puts();
    turns.push(await longestTurn());
    const ended = flood.next((line) => /^sent (\d+)$/.exec(line)?.[1]);
    flood.tell("stop");
    rounds.push({ quiet, flooded, sent: Number(await ended) });
    await pause(CALM_MS);
  }
  print(`flood of ${name}: p99 of another tenant's PUT, ms`, {
    measured: median(rounds.map(({ flooded }) => flooded.p99)),
    limit: median(rounds.map(({ quiet }) => quiet.p99)),
    ratio: ratio(rounds.map(({ flooded, quiet }) => [flooded.p99, quiet.p99])),
    goal: "<= 2",
    "longest turn of the loop, ms": Math.max(...turns),
    "p50, ms": median(rounds.map(({ flooded }) => flooded.p50)),
    "sent a second": median(rounds.map(({ sent }) => sent / (SECONDS + ONSET_MS / 1000))),
  });
}

await pause(MINUTE_MS);
clearInterval(watch);
const after = megabytes();
print("memory of the cloud a minute after all floods, MB", {
  measured: after,
  limit: before,
  ratio: after / before,
  goal: "<= 2",
  most,
});

/** Longest turn of the cloud's event loop since it was asked last, ms. */
async function longestTurn(): Promise<number> {
  const text = await (await fetch(`${product.url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1000;
}

/** Another account with large zones, and a client of it. Gives the file of its tokens. */
async function otherTenant(): Promise<string> {
  const owner = await signUp(product.url, "flood@home.example");
  const { api, environmentId } = owner;
  const { token } = await addClient(owner);
  const meta = { text: "x".repeat(LARGE_META) };
  for (let n = 0; n < LARGE_ZONES; n += 1) await api.good("POST", "/api/zones", { environmentId, meta });
  const file = join(product.folder, "flood-tokens");
  writeFileSync(file, `${token}\n${owner.token}\n`, { mode: 0o600 });
  return file;
}

/** Resident memory of the cloud. */
function megabytes(): number {
  return memoryBytes(product.cloud.pid, "VmRSS") / 2 ** 20;
}
