/**
 * Ten thousand hubs, and the cloud and PostgreSQL killed and started again: how soon all hubs are back, what the cloud's loop waits for
 * meanwhile, and whether each report is stored once. With `--long` also after ten minutes without a service.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { eventually } from "../test/parts/eventually.ts";
import { startPostgres } from "../test/parts/postgres-server.ts";
import { endedChildrenSeconds, processorSeconds } from "../test/parts/process-figures.ts";
import { Program } from "../test/parts/program.ts";
import { rounds } from "../test/parts/rounds.ts";
import { print } from "./frame.ts";
import type { HubClient, HubsState, ManyHubsPlan } from "./many-hubs.ts";
import { type Account, addClient, listening, ready, signUp } from "./product.ts";

const HUBS = 10_000;
/** Of one home of an ecosystem of its own. */
const HUBS_A_HOME = 500;
const HUB_PROCESSES = 4;
/** Requests in flight while the clients are made. */
const AT_ONCE = 16;
/** What a start of everything takes, about: this much of the time without a service, which ends when it serves. */
const START_MS = 4_000;
const PATIENCE_MS = 420_000;

interface Outage {
  readonly downSeconds: number;
  /** How many of the hubs' seconds pass in one. */
  readonly speed: number;
  readonly goalSeconds: number;
}

const OUTAGES: readonly Outage[] = [
  { downSeconds: 5, speed: 1, goalSeconds: 20 },
  { downSeconds: 600, speed: 20, goalSeconds: 75 },
];

const began = performance.now();
await using stack = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));
stack.defer(() => rmSync(folder, { recursive: true, force: true }));
const postgres = stack.use(await startPostgres({ durable: true }));
let cloud = serve("0");
stack.defer(() => cloud[Symbol.asyncDispose]());
const url = await cloud.line(listening);
const account = await signUp(url);
const clients: HubClient[] = [];
while (clients.length < HUBS) clients.push(...(await newHome(account)));
note("the hubs' clients are made", began);
const programs = Array.from({ length: HUB_PROCESSES }, (_, at) => stack.use(hubsProcess(at)));
await Promise.all(programs.map((program) => program.line(ready)));
await hubs("every hub is connected and has reported", ({ live, queued }) => live === HUBS && queued === 0);
note("every hub is connected", began);
for (const outage of OUTAGES.slice(0, rounds(1, 2))) await goThrough(outage);

function serve(port: string): Program {
  const flags = ["--port", port, "--data", folder, "--database", postgres.url, "--rate-limit", "off"];
  const env = { PORCHLIGHT_PORTAL: "off", PORCHLIGHT_LOG_LEVEL: "warn" };
  return new Program("cloud", "cloud/src/main.ts", ["serve", ...flags], env);
}

function hubsProcess(at: number): Program {
  const size = Math.ceil(clients.length / HUB_PROCESSES);
  const file = join(folder, `hubs-${at}.json`);
  const plan: ManyHubsPlan = { url, first: at * size, clients: clients.slice(at * size, (at + 1) * size) };
  writeFileSync(file, JSON.stringify(plan), { mode: 0o600 });
  return new Program("hubs", "bench/many-hubs.ts", [file]);
}

function note(what: string, since: number): void {
  process.stdout.write(`${what}: ${((performance.now() - since) / 1000).toFixed(1)} s\n`);
}

async function newHome({ api }: Account): Promise<readonly HubClient[]> {
  const { id: ecosystemId } = await api.good<{ id: string }>("POST", "/api/ecosystems", {});
  const { id: environmentId } = await api.good<{ id: string }>("POST", "/api/environments", { ecosystemId });
  const made: HubClient[] = [];
  const make = async () => {
    while (made.length < HUBS_A_HOME) {
      const client = await addClient({ api, environmentId });
      if (made.length < HUBS_A_HOME) made.push(client);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, make));
  return made;
}

async function goThrough({ downSeconds, speed, goalSeconds }: Outage): Promise<void> {
  const before = await changes();
  send("report");
  await pause(500);
  await Promise.all([cloud.kill(), postgres.kill()]);
  send("again", `speed ${speed}`, "report");
  const killedAt = performance.now();
  await pause(Math.max(0, (downSeconds * 1000) / speed - START_MS));
  send("speed 1");
  await postgres.restart();
  cloud = serve(new URL(url).port);
  await cloud.line(listening);
  await eventually("the cloud is ready", async () => (await fetch(`${url}/readyz`)).ok || undefined, PATIENCE_MS);
  const startedAt = performance.now();
  const usedBefore = processorTimes();
  await loopLagMs();
  const back = await hubs("every hub is back", ({ live, came }) => live === HUBS && came === HUBS);
  const lags = [await loopLagMs()];
  const used = processorTimes();
  await hubs("every report is acknowledged", ({ queued }) => queued === 0);
  lags.push(await loopLagMs());
  const after = await changes();
  note("every report is acknowledged", startedAt);
  const seconds = (back.lastAt - back.firstAt) / 1000;
  print(`${HUBS} hubs come back to one node after ${downSeconds} s without a service, s`, {
    measured: seconds,
    limit: goalSeconds,
    ratio: seconds / goalSeconds,
    goal: `<= ${goalSeconds} s, loop lag < 250 ms, none lost, none twice`,
    "99 of 100 are back, s": (back.mostAt - back.firstAt) / 1000,
    "longest loop lag, ms": Math.max(...lags),
    "processor time of the node, s": used.cloud - usedBefore.cloud,
    "of PostgreSQL": used.postgres - usedBefore.postgres,
    "of hubs": used.hubs - usedBefore.hubs,
    "from the kill to a service that is ready, s": (startedAt - killedAt) / 1000,
    welcomes: back.welcomes,
    "attempts that ended otherwise": Object.entries(back.endings)
      .map(([way, count]) => `${way} ${count}`)
      .join(", "),
    "reports lost": 2 * HUBS - (after.different - before.different),
    "reports twice": after.all - after.different - (before.all - before.different),
  });
}

function send(...lines: readonly string[]): void {
  for (const program of programs) for (const line of lines) program.tell(line);
}

/** Resolves with the state of all hubs once it fulfils the condition. */
function hubs(what: string, isSo: (state: HubsState) => boolean): Promise<HubsState> {
  const look = async () => {
    const each = await Promise.all(
      programs.map((program) => {
        const answer = program.next((line) => (line.startsWith("{") ? (JSON.parse(line) as HubsState) : undefined));
        program.tell("tell");
        return answer;
      }),
    );
    // A look at thousands of hubs costs as much as some of them do, so that looks are a second apart.
    await pause(1_000);
    const state = sumOf(each);
    if (isSo(state)) return state;
    throw new Error(JSON.stringify(state));
  };
  return eventually(what, look, PATIENCE_MS);
}

function sumOf(each: readonly HubsState[]): HubsState {
  const sum = (read: (state: HubsState) => number) => each.reduce((all, state) => all + read(state), 0);
  const endings: Record<string, number> = {};
  for (const state of each)
    for (const [way, count] of Object.entries(state.endings)) endings[way] = (endings[way] ?? 0) + count;
  return {
    live: sum(({ live }) => live),
    queued: sum(({ queued }) => queued),
    came: sum(({ came }) => came),
    welcomes: sum(({ welcomes }) => welcomes),
    endings,
    firstAt: Math.min(...each.map(({ firstAt }) => firstAt).filter((at) => at > 0)),
    lastAt: Math.max(...each.map(({ lastAt }) => lastAt)),
    mostAt: Math.max(...each.map(({ mostAt }) => mostAt)),
  };
}

/** Processor time that each part has used so far, s. */
function processorTimes() {
  const sum = (pids: readonly number[]) => pids.reduce((seconds, pid) => seconds + processorSeconds(pid), 0);
  const [head = 0] = postgres.pids;
  return {
    cloud: sum([cloud.pid]),
    // Connections that are idle for long end, and their processes with them.
    postgres: sum(postgres.pids) + endedChildrenSeconds(head),
    hubs: sum(programs.map(({ pid }) => pid)),
  };
}

/** The longest that the cloud's event loop was held up since the call before, ms. */
async function loopLagMs(): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds(?:\{.*\})? (\S+)$/m.exec(text)?.[1]) * 1000;
}

/** Events of reports of the hubs: all, and how many are of different values. */
async function changes(): Promise<{ readonly all: number; readonly different: number }> {
  const client = new Client(postgres.url);
  await client.connect();
  try {
    const { rows } = await client.query<{ all: number; different: number }>(
      `select count(*)::int as all, count(distinct (data::json->'item'->>'deviceId', data::json->'item'->>'property',
        data::json->'item'->>'value'))::int as different from events where type = 'property.changed'`,
    );
    return rows[0] ?? { all: 0, different: 0 };
  } finally {
    await client.end();
  }
}
