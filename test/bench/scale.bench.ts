/**
 * What docs/scale.md reckons with: what a connection, a heartbeat, a report and the news of another node cost each part of a service
 * of two nodes, when every report is of another ecosystem, so that none shares its commit. There is no bare limit.
 */
import { NatsBus } from "@porchlight/cloud/bus/index.ts";
import { silentLog } from "@porchlight/shared/kernel";
import { Api } from "../parts/api.ts";
import { CostMeter, type Costs } from "./nodes/costs.ts";
import { Service } from "./nodes/service.ts";
import { SimulatedHub } from "./product/simulated-hub.ts";
import { print } from "./report.ts";

const ECOSYSTEMS = 64;
const HUBS_OF_EACH = 16;
const IDLE_MS = 30_000;
const REPORTS_MS = 8_000;
const HEARTBEATS_A_SECOND = 1 / 5;
const NEWS = 40_000;
/** In one go, and then the others have a turn. */
const NEWS_AT_ONCE = 10;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const open = { PORCHLIGHT_HANDSHAKES_PER_SECOND: "100000", PORCHLIGHT_HANDSHAKE_BURST: "100000" };
await using service = await Service.start({ nodes: 2, env: open });
await using meter = await CostMeter.start(service);
const tokens = await furnish(service.node(0).url);

await pause(3_000);
const idle = await meter.each(async () => {
  await pause(IDLE_MS);
  return IDLE_MS / 1000;
});
tell("a second of two idle nodes", idle);

const hubs: SimulatedHub[][] = [];
const connection = await meter.each(async () => {
  // As many at once as there are ecosystems: none waits for another's commit.
  for (const [round, some] of tokens.entries())
    hubs.push(await Promise.all(some.map((token, eco) => connect(token, round * ECOSYSTEMS + eco))));
  return ECOSYSTEMS * HUBS_OF_EACH;
}, idle);
tell("a hub's first connection, with its device", connection);

await pause(3_000);
const heartbeat = await meter.each(async () => {
  await pause(IDLE_MS);
  return (IDLE_MS / 1000) * ECOSYSTEMS * HUBS_OF_EACH * HEARTBEATS_A_SECOND;
}, idle);
tell("a heartbeat", heartbeat);

await reports(REPORTS_MS / 4);
tell("a report, each committed alone", await meter.each(() => reports(REPORTS_MS), idle));
tell("news of a commit elsewhere, of an ecosystem that nobody asks for", await meter.each(news, idle));

function tell(what: string, costs: Costs): void {
  print(`${what}: processor µs of its node`, {
    measured: costs.node,
    limit: Number.NaN,
    ratio: Number.NaN,
    goal: "",
    ...costs,
  });
}

/** Gives the tokens of hubs, one of each ecosystem in a row. */
async function furnish(url: string): Promise<string[][]> {
  const login = { email: "bench@home.example", password: "a-long-and-quiet-password" };
  const nobody = new Api(url);
  await nobody.good("POST", "/api/accounts", login);
  const api = nobody.as((await nobody.good<{ token: string }>("POST", "/api/accounts/login", login)).token);
  const make = async (path: string, body: object) => (await api.good<{ id: string }>("POST", path, body)).id;
  const rows: string[][] = Array.from({ length: HUBS_OF_EACH }, () => []);
  for (let eco = 0; eco < ECOSYSTEMS; eco++) {
    const ecosystemId = await make("/api/ecosystems", {});
    const environmentId = await make("/api/environments", { ecosystemId });
    for (const row of rows) {
      const id = await make("/api/clients", { environmentId });
      row.push((await api.good<{ token: string }>("POST", `/api/clients/${id}/tokens`)).token);
    }
  }
  return rows;
}

function connect(token: string, number: number): Promise<SimulatedHub> {
  const url = service.node(0).url.replace("http", "ws");
  return SimulatedHub.connect({ url, token, number, devices: 1 });
}

/** Of one hub of each ecosystem, one after another; gives how many there were. */
async function reports(ms: number): Promise<number> {
  const end = performance.now() + ms;
  let count = 0;
  const tellAll = async (hub: SimulatedHub) => {
    for (; performance.now() < end; count++) await hub.report(0, count);
  };
  await Promise.all((hubs[0] ?? []).map(tellAll));
  return count;
}

/** As a third node would tell of the reports of its hubs. */
async function news(): Promise<number> {
  await using bus = NatsBus.start(service.nats?.url ?? "", silentLog);
  while (!bus.connected) await pause(10);
  const value = { environmentId: "env_01m7yke3h4e14v9pd9z3bxqn0y", deviceId: "dev_01m7yke4ace0pses8jtdkstfd4" };
  const now = Date.now();
  for (let version = 1; version <= NEWS; version++) {
    const ecosystemId = `eco_01m7yke3h4e14v9pd9z3bx${String(version % 10_000).padStart(4, "0")}`;
    const note = { kind: "value", ...value, key: "Meter:0.count", value: '"120"', number: version };
    const notes = [{ ...note, modifiedAt: now, observedAt: now }];
    bus.publish(`porchlight.news.${ecosystemId}`, { ecosystemId, version, sequence: version, notes });
    if (version % NEWS_AT_ONCE === 0) await pause(0);
  }
  await pause(1_000);
  return NEWS;
}
