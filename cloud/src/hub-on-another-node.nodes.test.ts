/** A hub that is connected to one node, asked for through another (A3, A4; T3). */
import { readServerTiming } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Home, Reply, TestCloud } from "./app.fixture.ts";
import { LAMP, LAMP_SERVICES, obey } from "./devices/devices.fixture.ts";
import { newKey, ScriptedHub } from "./tunnels/tunnels.fixture.ts";
import { type TwoClouds, twoClouds } from "./two-clouds.fixture.ts";

let clouds: TwoClouds;
/** The node of the hub, and the one that is asked. */
let near: TestCloud;
let far: TestCloud;
let home: Home;
let hub: ScriptedHub;
let device: string;
const key = newKey();
let clientToken: string;

beforeEach(async () => {
  clouds = await twoClouds();
  [near, far] = [clouds.one, clouds.other];
  home = await near.home();
  const { token, environmentId } = home;
  const { id } = await near.good("POST", "/api/clients", { token, body: { environmentId } });
  clientToken = (await near.good("POST", `/api/clients/${id}/tokens`, { token })).token;
  hub = await connect(near);
  const lamp = { edgeId: LAMP, digest: "d1", arrival: 1, online: true };
  await hub.ask("inventory", { digest: "all", devices: [lamp] });
  await hub.ask("describe", { ...lamp, about: {}, part: 0, parts: 1, services: LAMP_SERVICES });
  const { items } = await far.good("GET", "/api/devices", { token });
  device = `/api/devices/${items[0].id}`;
});
afterEach(() => clouds[Symbol.asyncDispose]());

async function connect(node: TestCloud): Promise<ScriptedHub> {
  const principal = await node.app.authenticateClient(clientToken);
  const host = { clock: node.clock, accept: node.app.acceptTunnel.bind(node.app) };
  return ScriptedHub.connect(host, principal, { key });
}

const put = (cloud: TestCloud, value: number, headers: Record<string, string> = {}) =>
  cloud.call("PUT", `${device}/services/LightColor.hue`, { token: home.token, body: { value }, headers });
const hue = async (cloud: TestCloud) =>
  (await cloud.good("GET", `${device}/services/LightColor.hue`, { token: home.token })).items[0]?.value;

/** Time goes on, and the processes and the database with it, until it has settled. */
async function settled<T>(work: Promise<T>, limitMs = 30_000): Promise<T> {
  let done = false;
  const ended = work.finally(() => {
    done = true;
  });
  for (let at = 0; at < limitMs && !done; at += 50) {
    await near.clock.advance(50);
    await near.app.fastify.inject({ url: "/readyz" });
  }
  return ended;
}

test("a write is executed once by the hub's node, and both nodes return the new value", async () => {
  hub.answers.command = obey(1);
  expect(await put(far, 120)).toMatchObject({ status: 200, body: { value: 120 } });
  expect(hub.asked.filter(({ method }) => method === "command")).toHaveLength(1);
  expect([await hue(near), await hue(far)]).toEqual([120, 120]);
});

test("the answer has the time of each step, on both nodes", async () => {
  hub.answers.command = obey(1);
  const reply = await put(far, 120, { "x-porchlight-trace": "1" });
  const hops = Object.keys(readServerTiming(String(reply.headers["server-timing"])));
  expect(hops).toEqual(
    expect.arrayContaining([
      "access",
      "check",
      "node",
      "node-check",
      "node-queue",
      "node-tunnel",
      "node-store",
      "total",
    ]),
  );
});

test("what the device refuses is refused in its words, whichever node is asked", async () => {
  const failure = { name: "Device Rejected", detail: "The bulb is broken.", code: 7 };
  hub.answers.command = (params: never) => {
    const { value: _, ...answer } = obey(1)(params);
    return { ...answer, outcome: "rejected", failure };
  };
  const refused = await put(far, 120);
  expect(refused).toMatchObject({ status: 422, body: { title: "Device Rejected", code: 7, outcome: "rejected" } });
  expect(refused.headers["x-command-id"]).toBe(hub.asked.find(({ method }) => method === "command")?.params.id);
});

test("an answer that is lost between the nodes is found in the store", async () => {
  hub.answers.command = async (params: never) => {
    for (const bus of clouds.buses) bus.loses = true;
    return obey(1)(params);
  };
  expect(await settled(put(far, 77))).toMatchObject({ status: 200, body: { value: 77 } });
  expect(hub.asked.filter(({ method }) => method === "command")).toHaveLength(1);
});

test("a write whose device the hub's node cannot look up at once comes to it again, and is carried out once", async () => {
  // The other node has not had the environment in memory yet.
  const there = await connect(far);
  there.answers.command = obey(1);
  for (let at = 0; at < 5_000 && hub.down === undefined; at += 50) await settled(near.clock.advance(50));
  const lookedUp = Promise.withResolvers<void>();
  const fail = () => {
    lookedUp.resolve();
    return new Error("the line is cut");
  };
  Object.defineProperty(far.storeFault, "error", { get: fail, configurable: true });
  const setting = put(near, 41);
  await lookedUp.promise;
  Object.defineProperty(far.storeFault, "error", { value: undefined });
  expect(await settled(setting)).toMatchObject({ status: 200, body: { value: 41 } });
  expect(there.asked.filter(({ method }) => method === "command")).toHaveLength(1);
});

test("while the hub's node is unreachable the write is refused as not sent, and no caller gets “Hub Offline”", async () => {
  for (const bus of clouds.buses) bus.line = false;
  const refused: Reply = await settled(put(far, 5));
  expect(refused).toMatchObject({ status: 503, body: { title: "Service Unavailable", outcome: "not_sent" } });
  expect(hub.asked.filter(({ method }) => method === "command")).toHaveLength(0);
  const { items } = await far.good("GET", "/api/clients", { token: home.token });
  expect(items[0].connection.state).toBe("online");
});

test.each([
  ["that is notified", false],
  ["that hears nothing", true],
])("a node %s gives up the tunnel of a hub that has come to another", async (_what, deaf) => {
  for (const bus of clouds.buses) bus.loses = deaf;
  const newer = await connect(far);
  for (let at = 0; at < 5_000 && hub.down === undefined; at += 50) await settled(near.clock.advance(50));
  expect(hub.down).toBe("superseded");
  for (const bus of clouds.buses) bus.loses = false;
  newer.answers.command = obey(1);
  expect(await settled(put(near, 33))).toMatchObject({ status: 200, body: { value: 33 } });
});
