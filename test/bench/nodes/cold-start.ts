/**
 * Ten thousand hubs, and everything in the cloud killed and started again: how soon all hubs are back, what the nodes' loops wait for
 * meanwhile, and whether each report is there once. The hubs live in processes of their own and know all nodes.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { Api } from "../../parts/api.ts";
import { endedChildrenSeconds, processorSeconds } from "../parts.ts";
import { watched } from "../profile/explain.ts";
import { print } from "../report.ts";
import { type HubClient, Hubs } from "./hubs.ts";
import type { ManyHubsTold } from "./many-hubs.ts";
import { Service } from "./service.ts";

const HUBS = 10_000;
/** Of one ecosystem with one home. */
const HUBS_A_HOME = 500;
/** Asked for at once while all is made. */
const AT_ONCE = 16;
/**
 * Handshakes let in a second, by all nodes together. Hubs, nodes and PostgreSQL share the machine here: what it cannot do at once is
 * to wait at the door, and not time out behind it.
 */
const HANDSHAKES = 300;
/** What a start of everything takes, about: so much of the time without a service, which ends when it serves. */
const START_MS = 4_000;

/** Longest that hubs may wait on the way back, after so long without a service, s. */
interface Outage {
  readonly downSeconds: number;
  /** How many of the hubs' seconds go by in one. */
  readonly speed: number;
  readonly goalSeconds: number;
}

const NOBODY: ManyHubsTold = {
  live: 0,
  queued: 0,
  came: 0,
  welcomes: 0,
  firstAt: 0,
  lastAt: 0,
  mostAt: 0,
  endings: {},
};

export const SHORT: Outage = { downSeconds: 5, speed: 1, goalSeconds: 20 };
export const LONG: Outage = { downSeconds: 600, speed: 20, goalSeconds: 75 };

export async function coldStart(nodes: number, outages: readonly Outage[]): Promise<void> {
  const began = performance.now();
  await using service = await Service.start({ nodes, nats: nodes > 1, env: admission(nodes) });
  const homes: (readonly HubClient[])[] = [];
  const api = await ownerOf(service);
  for (let home = 0; home < HUBS / HUBS_A_HOME; home++) homes.push(await newHome(api, HUBS_A_HOME));
  say("the hubs' clients are made", began);
  await using hubs = new Hubs(service, homes.flat());
  await hubs.all("every hub is there and has told all", ({ live, queued }) => live === HUBS && queued === 0);
  say("every hub is there", began);
  for (const outage of outages) await goThrough(service, hubs, outage);
}

function admission(nodes: number): Record<string, string> {
  const each = String(Math.ceil(HANDSHAKES / nodes));
  return { PORCHLIGHT_HANDSHAKES_PER_SECOND: each, PORCHLIGHT_HANDSHAKE_BURST: each };
}

/** For whoever watches. */
function say(what: string, since: number): void {
  process.stdout.write(`${what}: ${((performance.now() - since) / 1000).toFixed(1)} s\n`);
}

async function goThrough(service: Service, hubs: Hubs, outage: Outage): Promise<void> {
  const before = await changesOf(service);
  hubs.say("report");
  await pause(500);
  await service.killAll();
  hubs.say("again", `speed ${outage.speed}`);
  hubs.say("report");
  const killedAt = performance.now();
  await pause(Math.max(0, (outage.downSeconds * 1000) / outage.speed - START_MS));
  hubs.say("speed 1");
  await service.startAll();
  const startedAt = performance.now();
  const usedBefore = usedOf(service, hubs);
  const lag = new LoopLags(service);
  await lag.read();
  say("the nodes are looked at", startedAt);
  let back = NOBODY;
  // Of several nodes one is looked into: they do the same.
  await watched(`${HUBS} hubs come back: the first node`, service.node(0).program, async () => {
    back = await hubs.all("every hub is back", ({ live, came }) => live === HUBS && came === HUBS);
    return HUBS / service.nodes.length;
  });
  await lag.read();
  const used = usedOf(service, hubs);
  await hubs.all("every report is acknowledged", ({ queued }) => queued === 0);
  await lag.read();
  const after = await changesOf(service);
  say("every report is acknowledged", startedAt);
  const seconds = (back.lastAt - back.firstAt) / 1000;
  const { length } = service.nodes;
  const who = length === 1 ? "one node" : `${length} nodes`;
  print(`${HUBS} hubs come back to ${who} after ${outage.downSeconds} s without a service, s`, {
    measured: seconds,
    limit: outage.goalSeconds,
    ratio: seconds / outage.goalSeconds,
    goal: `<= ${outage.goalSeconds} s, loop lag < 250 ms, none lost, none twice`,
    "99 of 100 are back, s": (back.mostAt - back.firstAt) / 1000,
    "longest loop lag, ms": Math.max(...lag.longest),
    "processor time of nodes, s": used.nodes - usedBefore.nodes,
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

/** Processor time that each part has used so far, s. */
function usedOf({ nodes, postgres }: Service, { pids }: Hubs) {
  const sum = (all: readonly number[]) => all.reduce((seconds, pid) => seconds + processorSeconds(pid), 0);
  const [head = 0] = postgres.pids;
  return {
    nodes: sum(nodes.map(({ program }) => program.pid)),
    // Connections that are idle for long end, and their processes with them.
    postgres: sum(postgres.pids) + endedChildrenSeconds(head),
    hubs: sum(pids),
  };
}

async function ownerOf({ url }: Service): Promise<Api> {
  const login = { email: "bench@home.example", password: "a-long-and-quiet-password" };
  const nobody = new Api(url);
  await nobody.good("POST", "/api/accounts", login);
  return nobody.as((await nobody.good<{ token: string }>("POST", "/api/accounts/login", login)).token);
}

async function newHome(api: Api, count: number): Promise<readonly HubClient[]> {
  const made = async (path: string, body: object) => (await api.good<{ id: string }>("POST", path, body)).id;
  const environmentId = await made("/api/environments", { ecosystemId: await made("/api/ecosystems", {}) });
  const clients: HubClient[] = [];
  const some = async () => {
    for (let left = count / AT_ONCE; left > 0; left--) {
      if (clients.length >= count) return;
      const id = await made("/api/clients", { environmentId });
      const { token } = await api.good<{ token: string }>("POST", `/api/clients/${id}/tokens`);
      if (clients.length < count) clients.push({ id, token });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
  return clients;
}

/** The longest that each node's loop was held up since the reading before, of all readings but the first, ms. */
class LoopLags {
  readonly longest: number[] = [];
  readonly #service: Service;
  #begun = false;

  constructor(service: Service) {
    this.#service = service;
  }

  async read(): Promise<void> {
    for (const { url } of this.#service.nodes) {
      const text = await (await fetch(`${url}/metrics`)).text();
      const seconds = Number(/^nodejs_eventloop_lag_max_seconds(?:\{.*\})? (\S+)$/m.exec(text)?.[1]);
      if (this.#begun) this.longest.push(seconds * 1000);
    }
    this.#begun = true;
  }
}

/** Events of what hubs have told by themselves: all, and how many tell different things. */
async function changesOf({ postgres }: Service): Promise<{ readonly all: number; readonly different: number }> {
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
