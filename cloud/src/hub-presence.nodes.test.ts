/** What nodes show of each other's hubs (T4, A6.2): what a node has seen itself, and nothing that only a row of the database claims. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Home, TestCloud } from "./app.fixture.ts";
import { newKey, ScriptedHub } from "./tunnels/tunnels.fixture.ts";
import { type TwoClouds, twoClouds } from "./two-clouds.fixture.ts";

let clouds: TwoClouds;
let near: TestCloud;
let far: TestCloud;
let home: Home;
let client: string;
let clientToken: string;
const later: TestCloud[] = [];
const key = newKey();

beforeEach(async () => {
  clouds = await twoClouds();
  [near, far] = [clouds.one, clouds.other];
  home = await near.home();
  const { token, environmentId } = home;
  const { id } = await near.good("POST", "/api/clients", { token, body: { environmentId } });
  client = id;
  clientToken = (await near.good("POST", `/api/clients/${id}/tokens`, { token })).token;
});
afterEach(async () => {
  for (const cloud of later.splice(0)) await cloud.app[Symbol.asyncDispose]();
  await clouds[Symbol.asyncDispose]();
});

async function connect(node: TestCloud): Promise<ScriptedHub> {
  const principal = await node.app.authenticateClient(clientToken);
  const host = { clock: node.clock, accept: node.app.acceptTunnel.bind(node.app) };
  return ScriptedHub.connect(host, principal, { key });
}

const shownBy = async (node: TestCloud) =>
  (await node.good("GET", `/api/clients/${client}`, { token: home.token })).connection;

/** Time goes on in steps, and each node writes what it owes before the next. @param look after each step */
async function pass(ms: number, nodes: readonly TestCloud[], look: () => Promise<unknown> = async () => undefined) {
  for (let at = 0; at < ms; at += 500) {
    await near.clock.advance(500);
    for (const node of nodes) await node.app.fastify.inject({ url: "/readyz" });
    await look();
  }
}

/** Waits, in virtual time, until that is shown. */
async function untilShown(state: string, by: TestCloud, nodes: readonly TestCloud[]): Promise<void> {
  const shown = async () => (await shownBy(by)).state;
  for (let waited = 0; (await shown()) !== state; waited++) {
    if (waited > 100) throw new Error(`${state} is not shown`);
    await pass(500, nodes);
  }
}

async function startAnother(): Promise<TestCloud> {
  const cloud = await near.restart({}, clouds.join());
  later.push(cloud);
  return cloud;
}

test("a node that starts after all have died shows no hub online that it has not seen", async () => {
  const hub = await connect(near);
  await untilShown("online", far, [near, far]);
  hub.cut();
  await near.app.kill();
  await far.app.kill();
  const next = await startAnother();
  const states = new Set<string>([(await shownBy(next)).state]);
  await pass(20_000, [next], async () => states.add((await shownBy(next)).state));
  expect([...states]).toEqual(["unknown"]);
});

test("a node that starts beside others shows their hubs online as soon as it has seen the others renew", async () => {
  await connect(near);
  await pass(2_000, [near, far]);
  const next = await startAnother();
  expect((await shownBy(next)).state).toBe("unknown");
  const asked = near.clock.monotonic();
  await untilShown("online", next, [near, far, next]);
  expect(near.clock.monotonic() - asked).toBeLessThan(5_000);
  expect(await shownBy(next)).toMatchObject({ since: (await shownBy(near)).since });
});

test("a node that starts beside others is ready once it shows their hubs online, and not before", async () => {
  await connect(near);
  await pass(2_000, [near, far]);
  const next = await startAnother();
  const startedAt = near.clock.monotonic();
  const isReady = async () => (await next.app.fastify.inject({ url: "/readyz" })).statusCode === 200;
  expect((await next.app.fastify.inject({ url: "/readyz" })).json().detail).toContain("which other nodes live");
  for (let waited = 0; !(await isReady()); waited++) {
    if (waited > 100) throw new Error("it never is ready");
    await pass(500, [near, far, next]);
  }
  // A database that takes its real time may let the three looks pass by this clock.
  const shown = (await shownBy(next)).state;
  if (near.clock.monotonic() - startedAt < 3_000) expect(shown).toBe("online");
});

test("a node that finds only nodes that are dead is ready after three looks at them", async () => {
  await near.app.kill();
  await far.app.kill();
  const next = await startAnother();
  const readyAfter = async (ms: number) => {
    await near.clock.advance(ms);
    return (await next.app.fastify.inject({ url: "/readyz" })).statusCode;
  };
  expect([await readyAfter(2_900), await readyAfter(200)]).toEqual([503, 200]);
});

test("two nodes show the same `since` of a hub, also after a break that is no event", async () => {
  const first = await connect(near);
  await pass(3_000, [near, far]);
  first.cut();
  await pass(1_000, [near, far]);
  await connect(near);
  await pass(1_000, [near, far]);
  const [one, other] = [await shownBy(near), await shownBy(far)];
  expect([one.state, other.state]).toEqual(["online", "online"]);
  expect(other.since).toBe(one.since);
});

test("a node shows a hub offline as soon as the other has stored the end of its tunnel, with the same times", async () => {
  const hub = await connect(near);
  await pass(3_000, [near, far]);
  hub.cut();
  await pass(500, [near, far]);
  await untilShown("offline", far, [near, far]);
  const { since, lastSeenAt, reason } = await shownBy(near);
  expect(await shownBy(far)).toMatchObject({ since, lastSeenAt, reason });
});

test("presence of no node goes back while a hub moves between nodes, breaks and goes", async () => {
  const went: string[] = [];
  const last = new Map<TestCloud, { since: string; lastSeenAt: string }>();
  const look = async () => {
    for (const node of [near, far]) {
      const { since, lastSeenAt = "", state } = await shownBy(node);
      const before = last.get(node) ?? { since: "", lastSeenAt: "" };
      if (since < before.since) went.push(`${state}: since ${before.since} -> ${since}`);
      if (lastSeenAt !== "" && lastSeenAt < before.lastSeenAt)
        went.push(`${state}: lastSeenAt ${before.lastSeenAt} -> ${lastSeenAt}`);
      last.set(node, { since, lastSeenAt: lastSeenAt || before.lastSeenAt });
    }
  };
  for (const [node, breaks] of [
    [near, "cut"],
    [far, "stays"],
    [near, "silent"],
    [far, "cut"],
  ] as const) {
    const hub = await connect(node);
    await pass(4_000, [near, far], look);
    if (breaks === "cut") hub.cut();
    if (breaks === "silent") hub.dead = true;
    await pass(breaks === "stays" ? 500 : 18_000, [near, far], look);
  }
  expect(went).toEqual([]);
});
