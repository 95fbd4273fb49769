/**
 * A property PUT that one node is asked for while another has the hub's tunnel, against the same PUT on one node that knows of
 * no other, both on PostgreSQL: processor time of everything but PostgreSQL and the load, and how fast it is.
 */
import { rounds } from "../parts/rounds.ts";
import { type Furnished, furnish } from "./furnish.ts";
import { type LoadResult, load } from "./load.ts";
import { Service } from "./nodes/service.ts";
import { processorSeconds } from "./parts.ts";
import { explain } from "./profile/explain.ts";
import { median, print, ratio } from "./report.ts";

const PROPERTIES = 32;
const SECONDS = 4;
const ROUNDS = rounds(3, 9);

await using lone = await Service.start({ nodes: 1, nats: false });
await using pair = await Service.start({ nodes: 2 });
await using loneHome = await homeOf(lone);
await using pairHome = await homeOf(pair);

interface Way {
  /** The node that is asked. */
  readonly url: string;
  readonly home: Furnished;
  /** Whose processor time counts. */
  readonly pids: Readonly<Record<string, number>>;
}

const hubOf = ({ hubs: [hub] }: Furnished) => {
  if (!hub) throw new Error("no hub");
  return hub;
};
const pairPids = {
  "asked node": pair.node(1).program.pid,
  "hub's node": pair.node(0).program.pid,
  nats: pair.nats?.pid ?? 0,
  hub: hubOf(pairHome).pid,
};
const ways = {
  lone: {
    url: lone.node(0).url,
    home: loneHome,
    pids: { "hub's node": lone.node(0).program.pid, hub: hubOf(loneHome).pid },
  },
  /** The node that has the tunnel is asked. */
  direct: { url: pair.node(0).url, home: pairHome, pids: pairPids },
  relayed: { url: pair.node(1).url, home: pairHome, pids: pairPids },
} satisfies Record<string, Way>;

interface Measured extends LoadResult {
  /** µs of processor time a PUT. */
  readonly all: number;
  readonly each: Readonly<Record<string, number>>;
}

for (const way of Object.values(ways)) await run(way, PROPERTIES, 3);
const full = await measure(PROPERTIES);
const costs = (name: keyof typeof ways, which: string) =>
  median(full.map((round) => round[name].each[which] ?? Number.NaN));
print("PUT across two nodes, 32 in flight, processor µs a PUT without PostgreSQL", {
  measured: median(full.map(({ relayed }) => relayed.all)),
  limit: median(full.map(({ lone }) => lone.all)),
  ratio: ratio(full.map(({ relayed, lone }) => [relayed.all, lone.all])),
  goal: "<= 2.5",
  "asked node": costs("relayed", "asked node"),
  "hub's node": costs("relayed", "hub's node"),
  NATS: costs("relayed", "nats"),
  hub: costs("relayed", "hub"),
  "one node": costs("lone", "hub's node"),
  "one node's hub": costs("lone", "hub"),
  "hub's node asked": median(full.map(({ direct }) => direct.all)),
});

speak("32 in flight, answers a second", full, ({ rate }) => rate);
speak("32 in flight, median ms", full, ({ p50 }) => p50);
speak("32 in flight, p99 ms", full, ({ p99 }) => p99);
speak("one in flight, median ms", await measure(1), ({ p50 }) => p50);

const { relayed } = ways;
const programs = { "asked node": pair.node(1).program, "hub's node": pair.node(0).program };
await explain("PUT across two nodes", programs, async () => (await run(relayed, PROPERTIES, SECONDS)).count);
const alone = { "one node": lone.node(0).program };
await explain("PUT on one node", alone, async () => (await run(ways.lone, PROPERTIES, SECONDS)).count);

function homeOf(service: Service): Promise<Furnished> {
  return furnish({ url: service.node(0).url, folder: service.folder, hubs: 1, devicesPerHub: PROPERTIES });
}

type Round = Readonly<Record<keyof typeof ways, Measured>>;

function speak(what: string, all: readonly Round[], of: (measured: Measured) => number): void {
  print(`PUT across two nodes, ${what} (limit: one node)`, {
    measured: median(all.map(({ relayed }) => of(relayed))),
    limit: median(all.map(({ lone }) => of(lone))),
    ratio: ratio(all.map(({ relayed, lone }) => [of(relayed), of(lone)])),
    goal: "",
    "hub's node asked": median(all.map(({ direct }) => of(direct))),
  });
}

async function measure(workers: number): Promise<readonly Round[]> {
  const all: Round[] = [];
  for (let round = 0; round < ROUNDS; round++)
    all.push({
      lone: await run(ways.lone, workers, SECONDS),
      direct: await run(ways.direct, workers, SECONDS),
      relayed: await run(ways.relayed, workers, SECONDS),
    });
  return all;
}

async function run({ url, home, pids }: Way, workers: number, seconds: number): Promise<Measured> {
  const used = () => Object.entries(pids).map(([name, pid]) => [name, processorSeconds(pid)] as const);
  const before = new Map(used());
  const result = await load(url, {
    workers,
    seconds,
    request: (worker, n) => ({
      method: "PUT",
      path: `/api/devices/${home.devices[worker]}/services/LightColor.hue`,
      headers: { ...home.headers },
      body: JSON.stringify({ value: ((worker * 7 + n) % 3600) / 10 }),
    }),
  });
  const each = Object.fromEntries(
    used().map(([name, seconds]) => [name, ((seconds - (before.get(name) ?? 0)) * 1e6) / result.count]),
  );
  return { ...result, each, all: Object.values(each).reduce((sum, us) => sum + us, 0) };
}
