/** A short outage of the database, as hubs and callers see it (A4, T4, T6): hubs stay connected, their reports wait, and no write is sent. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, TestCloud } from "./app.fixture.ts";
import { BUTTON, BUTTON_SERVICES, LAMP, LAMP_SERVICES, obey } from "./devices/devices.fixture.ts";
import { StoreAway } from "./store/sql/refusal.ts";
import { newKey, ScriptedHub } from "./tunnels/tunnels.fixture.ts";

let cloud: TestCloud;
let home: Home;
let hub: ScriptedHub;
let client: string;
let lamp: string;

beforeEach(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
  const { token, environmentId } = home;
  client = (await cloud.good("POST", "/api/clients", { token, body: { environmentId } })).id;
  const { token: clientToken } = await cloud.good("POST", `/api/clients/${client}/tokens`, { token });
  const principal = await cloud.app.authenticateClient(clientToken);
  const host = { clock: cloud.clock, accept: cloud.app.acceptTunnel.bind(cloud.app) };
  hub = await ScriptedHub.connect(host, principal, { key: newKey() });
  const devices = [
    { edgeId: LAMP, digest: "d1", arrival: 1, online: true, services: LAMP_SERVICES },
    { edgeId: BUTTON, digest: "d2", arrival: 2, online: true, services: BUTTON_SERVICES },
  ];
  await hub.ask("inventory", { digest: "all", devices: devices.map(({ services: _, ...listed }) => listed) });
  for (const device of devices) await hub.ask("describe", { ...device, about: {}, part: 0, parts: 1 });
  const { items } = await cloud.good("GET", "/api/devices", { token });
  lamp = items.find(({ edgeId }: { edgeId: string }) => edgeId === LAMP).id;
  hub.answers.command = obey(100);
  // Tokens, references and the environment are in memory from here on.
  expect(await put()).toMatchObject({ status: 200 });
});
afterEach(() => cloud[Symbol.asyncDispose]());

const put = (headers: Record<string, string> = {}) =>
  cloud.call("PUT", `/api/devices/${lamp}/services/LightColor.hue`, { token: home.token, body: { value: 7 }, headers });
const connection = async () => (await cloud.good("GET", `/api/clients/${client}`, { token: home.token })).connection;
const commands = () => hub.asked.filter(({ method }) => method === "command").length;
const press = (n: number) => ({
  records: [
    {
      kind: "value",
      n,
      device: BUTTON,
      service: "Button",
      index: "0",
      property: "event",
      value: "press",
      observedAt: 1,
      cause: "report",
    },
  ],
});
const presses = async () => {
  const { items } = await cloud.good("GET", "/api/event-log?types=property.changed", { token: home.token });
  return items.filter(({ data }: { data: { item: { service: string } } }) => data.item.service === "Button").length;
};
const isOut = async () => (await cloud.app.fastify.inject({ url: "/readyz" })).statusCode === 503;

/** Begins with the first write that fails. */
async function databaseGoes(): Promise<void> {
  cloud.storeFault.error = new StoreAway(new Error("57P03: the database system is starting up"));
  await expect(hub.ask("records", press(1))).rejects.toThrow("unavailable");
  expect(await isOut()).toBe(true);
}

async function databaseIsBack(): Promise<void> {
  cloud.storeFault.error = undefined;
  while (await isOut()) await cloud.clock.advance(500);
}

test("a hub that reports stays connected, and its reports are stored once the database is back", async () => {
  const before = await connection();
  await databaseGoes();
  await cloud.clock.advance(3_000);
  await expect(hub.ask("records", press(1))).rejects.toThrow("unavailable");
  expect(hub.down).toBeUndefined();
  await databaseIsBack();
  expect(await hub.ask("records", press(1))).toEqual({ acknowledged: 1 });
  expect(await presses()).toBe(1);
  expect(await connection()).toMatchObject({ state: "online", since: before.since });
});

test("a write is refused as not sent, without an ID, and its hub is not asked", async () => {
  await databaseGoes();
  const refused = await put();
  expect(refused).toMatchObject({ status: 503, body: { title: "Service Unavailable", outcome: "not_sent" } });
  expect(refused.headers["retry-after"]).toBe("1");
  expect(refused.headers["x-command-id"]).toBeUndefined();
  expect(commands()).toBe(1);
  await databaseIsBack();
  expect(await put()).toMatchObject({ status: 200, body: { value: 7 } });
  expect(commands()).toBe(2);
});

test("a write to a device that is not in memory is refused as not sent too", async () => {
  const { token } = await cloud.home();
  await cloud.good("GET", "/api/zones", { token });
  await databaseGoes();
  const refused = await cloud.call("PUT", `/api/devices/${lamp}/services/LightColor.hue`, {
    token,
    body: { value: 7 },
  });
  expect(refused).toMatchObject({ status: 503, body: { title: "Service Unavailable", outcome: "not_sent" } });
});

test("a write with a key is refused as often as it comes, and its hub is asked once when the database is back", async () => {
  await databaseGoes();
  for (let time = 0; time < 3; time++)
    expect(await put({ "idempotency-key": "one" })).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
  expect(commands()).toBe(1);
  await databaseIsBack();
  expect(await put({ "idempotency-key": "one" })).toMatchObject({ status: 200, body: { value: 7 } });
  expect(commands()).toBe(2);
});
