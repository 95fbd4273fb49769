/**
 * A service of two workers against one of one, both over PostgreSQL and NATS: the processor time of each part for a PUT, a cached query and a report,
 * which is what counts on a machine whose cores are shared with everything else, and how fast each is. Hubs and callers come to
 * workers by turns, so that of two workers every second PUT is carried out by the one that was not asked.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { WorkersService } from "../cluster/workers-service.ts";
import { eventually } from "../parts/eventually.ts";
import { rounds } from "../parts/rounds.ts";
import { type Furnished, furnish } from "./furnish.ts";
import { type LoadRequest, load } from "./load.ts";
import { endedChildrenSeconds, processorSeconds } from "./parts.ts";
import { median, print, ratio } from "./report.ts";

const HUBS = 4;
const DEVICES_PER_HUB = 8;
const CALLERS = HUBS * DEVICES_PER_HUB;
const SECONDS = 2.5;
const REPORTS = 4_000;
const ROUNDS = rounds(3, 9);
const ENV = { PORCHLIGHT_RATE_LIMIT: "off", PORCHLIGHT_PORTAL: "off", PORCHLIGHT_LOG_LEVEL: "warn" };
const PARTS = ["workers", "supervisor", "NATS", "hubs", "PostgreSQL"] as const;

type Part = (typeof PARTS)[number];

interface Side {
  readonly service: WorkersService;
  readonly home: Furnished;
  readonly database: Client;
}

interface Measured {
  /** A second. */
  readonly rate: number;
  /** µs of processor time for each. */
  readonly each: ReadonlyMap<Part, number>;
}

/** What is done, for how long, and how often it was done then. */
type Work = (side: Side, seconds: number) => Promise<number>;

const requests =
  (request: (side: Side, worker: number, n: number) => LoadRequest): Work =>
  async (side, seconds) => {
    const ask = (worker: number, n: number) => request(side, worker, n);
    return (await load(side.service.url, { workers: CALLERS, seconds, request: ask })).count;
  };

function queryOf({ environmentId, headers }: Furnished): LoadRequest {
  return { method: "GET", path: `/api/environments/${environmentId}/services/LightColor.hue`, headers };
}

const WORKS: Readonly<Record<string, Work>> = {
  PUT: requests(({ home }, worker, n) => ({
    method: "PUT",
    path: `/api/devices/${home.devices[worker]}/services/LightColor.hue`,
    headers: home.headers,
    body: JSON.stringify({ value: ((worker * 7 + n) % 3600) / 10 }),
  })),
  "cached query, 32 items": requests(({ home }) => queryOf(home)),
  "the same on a connection of its own": requests(({ home }) => ({ ...queryOf(home), reset: true })),
  report: async ({ home, database }) => {
    const sequence = async () => Number((await database.query("select max(sequence) as n from events")).rows[0].n);
    const before = await sequence();
    for (const hub of home.hubs) hub.tell(`report ${REPORTS / HUBS}`);
    await eventually("every report is an event", async () => (await sequence()) >= before + REPORTS, 120_000);
    return REPORTS;
  },
};

await using stack = new AsyncDisposableStack();
const [one, two] = [await start(1), await start(2)];
for (const [name, work] of Object.entries(WORKS)) {
  for (const side of [one, two]) await work(side, 2);
  const [ones, twos]: [Measured[], Measured[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    ones.push(await measure(one, work));
    twos.push(await measure(two, work));
  }
  speak(`${name}, two workers beside one: processor µs of workers, supervisor and NATS`, ones, twos, ours);
  speak(`${name}, two workers beside one: a second`, ones, twos, ({ rate }) => rate);
}
print("memory of the supervisor of two workers, and of a worker, MB", {
  measured: megabytes(two.service.program.pid),
  limit: megabytes(two.service.processOf(1)),
  ratio: megabytes(two.service.program.pid) / megabytes(two.service.processOf(1)),
  goal: "",
});

/** Of the server, of its processes that run, and of those that have ended. */
function postgresSeconds([server = 0, ...children]: readonly number[]): number {
  const running = children.map((pid) => {
    try {
      return processorSeconds(pid);
    } catch {
      // It has ended since it was listed, and is among those now.
      return 0;
    }
  });
  return running.reduce((sum, each) => sum + each, processorSeconds(server) + endedChildrenSeconds(server));
}

function megabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

function speak(what: string, ones: Measured[], twos: Measured[], read: (measured: Measured) => number): void {
  const parts = PARTS.map((part) => {
    const each = [twos, ones].map((results) => median(results.map((result) => result.each.get(part) ?? 0)));
    return [`${part} µs, two and one`, each.map((us) => Math.round(us)).join(", ")];
  });
  print(what, {
    measured: median(twos.map(read)),
    limit: median(ones.map(read)),
    ratio: ratio(twos.map((result, at) => [read(result), read(ones[at] ?? result)])),
    goal: "",
    ...Object.fromEntries(parts),
  });
}

function ours({ each }: Measured): number {
  return (each.get("workers") ?? 0) + (each.get("supervisor") ?? 0) + (each.get("NATS") ?? 0);
}

async function start(workers: number): Promise<Side> {
  const service = stack.use(await WorkersService.start({ workers, env: ENV, durable: true }));
  const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = new Client({ connectionString: service.postgres.url });
  await database.connect();
  stack.defer(() => database.end());
  const home = await furnish({ url: service.url, folder, hubs: HUBS, devicesPerHub: DEVICES_PER_HUB });
  return { service, database, home: stack.use(home) };
}

async function measure(side: Side, work: Work): Promise<Measured> {
  const { service, home } = side;
  const own = service.processes.map(({ pid }) => pid);
  const pids: Readonly<Record<Part, readonly number[]>> = {
    // A single worker is the program itself.
    workers: own.length > 0 ? own : [service.program.pid],
    supervisor: own.length > 0 ? [service.program.pid] : [],
    NATS: [service.nats.pid],
    hubs: home.hubs.map(({ pid }) => pid),
    // Its processes for connections come and go.
    PostgreSQL: [],
  };
  const us = (part: Part) =>
    part === "PostgreSQL"
      ? postgresSeconds(service.postgres.pids) * 1e6
      : pids[part].reduce((sum, pid) => sum + processorSeconds(pid) * 1e6, 0);
  const before = PARTS.map(us);
  const begun = performance.now();
  const count = await work(side, SECONDS);
  const seconds = (performance.now() - begun) / 1000;
  const each = PARTS.map((part, at) => [part, (us(part) - (before[at] ?? 0)) / count] as const);
  return { rate: count / seconds, each: new Map(each) };
}
