/** The routes of devices, their properties and commands, over the whole cloud with a hub scripted by hand (A2, A3, A4). */
import { get as httpGet } from "node:http";
import { settle } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClientPrincipal } from "../../../access/index.ts";
import { type Home, type Reply, TestCloud } from "../../../app.fixture.ts";
import { BUTTON, BUTTON_SERVICES, LAMP, LAMP_SERVICES, obey, silence } from "../../../devices/devices.fixture.ts";
import { newKey, ScriptedHub } from "../../../tunnels/tunnels.fixture.ts";

let cloud: TestCloud;
let home: Home;
let client: { readonly id: string };
let hub: ScriptedHub;
let lamp: string;
let button: string;
const key = newKey();

async function connect(hello = {}): Promise<ScriptedHub> {
  const { token } = await cloud.good("POST", `/api/clients/${client.id}/tokens`, { token: home.token });
  const principal: ClientPrincipal = await cloud.app.authenticateClient(token);
  const host = { clock: cloud.clock, accept: cloud.app.acceptTunnel.bind(cloud.app) };
  return ScriptedHub.connect(host, principal, { key, hello });
}

async function announce(devices: readonly { readonly edgeId: string; readonly services: unknown }[]): Promise<void> {
  const list = devices.map(({ edgeId }) => ({ edgeId, digest: "d1", arrival: 1, online: true }));
  await hub.ask("inventory", { digest: "all", devices: list });
  for (const [at, { services }] of devices.entries()) {
    const about = { manufacturer: "Lumen", name: "Desk lamp" };
    await hub.ask("describe", { ...list[at], about, part: 0, parts: 1, services });
  }
}

beforeEach(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
  client = await cloud.good("POST", "/api/clients", { token: home.token, body: { environmentId: home.environmentId } });
  hub = await connect();
  await announce([
    { edgeId: LAMP, services: LAMP_SERVICES },
    { edgeId: BUTTON, services: BUTTON_SERVICES },
  ]);
  const { items } = await get("/api/devices").then(({ body }) => body);
  [lamp, button] = items.map((item: { id: string }) => item.id);
});
afterEach(() => cloud[Symbol.asyncDispose]());

type Options = { token?: string; headers?: Record<string, string> };
const get = (url: string, options: Options = {}): Promise<Reply> =>
  cloud.call("GET", url, { token: home.token, ...options });
const put = (url: string, body: unknown, options: Options = {}): Promise<Reply> =>
  cloud.call("PUT", url, { token: home.token, body, ...options });
const hue = () => `/api/devices/${lamp}/services/LightColor.hue`;
const title = ({ status, body }: Reply) => `${status} ${body.title}`;

describe("/api/devices", () => {
  it("lists devices in the order of their making, with what they are and whether they are there", async () => {
    const { status, body } = await get(`/api/devices?environmentId=${home.environmentId}&type=physical`);
    expect(status).toBe(200);
    expect(body.items).toMatchObject([
      {
        id: lamp,
        ecosystemId: home.ecosystemId,
        environmentId: home.environmentId,
        type: "physical",
        edgeId: LAMP,
        clientId: client.id,
        meta: { "$.manufacturer": "Lumen", "$.name": "Desk lamp", "$.hub": "02-00-00-00-00-01" },
        connection: { state: "online" },
      },
      { id: button, edgeId: BUTTON },
    ]);
    expect((await get("/api/devices?type=virtual")).body).toEqual({ items: [] });
  });

  it("were last heard when they last confirmed a value, by a write, a read or a report", async () => {
    const seen = async () => {
      const [one, list] = [await get(`/api/devices/${lamp}`), await get("/api/devices")];
      const found = list.body.items.find(({ id }: { id: string }) => id === lamp).connection.lastSeenAt;
      expect(one.body.connection.lastSeenAt).toBe(found);
      return found;
    };
    const arrived = await seen();
    await cloud.clock.advance(3000);
    hub.answers.command = obey(1, { observedAt: cloud.clock.now() });
    const { observedAt } = (await put(hue(), { value: 120 })).body;
    expect(observedAt > arrived).toBe(true);
    expect(await seen()).toBe(observedAt);
    await cloud.clock.advance(3000);
    hub.answers.read = () => ({ items: [{ n: 2, value: 120, observedAt: cloud.clock.now() }] });
    const [read] = (await get(`${hue()}?refresh=true`)).body.items;
    expect(read.observedAt > observedAt).toBe(true);
    expect(await seen()).toBe(read.observedAt);
  });

  it("gives a page and its continuation", async () => {
    const first = (await get("/api/devices?pageSize=1")).body;
    expect(first.items.map(({ id }: { id: string }) => id)).toEqual([lamp]);
    const second = (await get(`/api/devices?pageSize=1&continuationToken=${first.continuationToken}`)).body;
    expect(second).toEqual({ items: [expect.objectContaining({ id: button })] });
  });

  it.each([
    ["?type=lamp", "400 Query Parameter Invalid"],
    ["?environmentId=env_x", "400 Environment Invalid"],
    ["?colour=red", "400 No Query String Allowed"],
  ])("refuses %s", async (query, expected) => {
    expect(title(await get(`/api/devices${query}`))).toBe(expected);
  });

  it("shows a user the devices of the user's environments only", async () => {
    const other = await cloud.good("POST", "/api/environments", { token: home.token, body: {} });
    const user = await cloud.good("POST", "/api/users", { token: home.token, body: { key: "u" } });
    await cloud.good("POST", `/api/users/${user.id}/access`, { token: home.token, body: { environmentId: other.id } });
    const token = await cloud.userToken(home, user.id);
    expect((await get("/api/devices", { token })).body).toEqual({ items: [] });
    expect(title(await get(`/api/devices/${lamp}`, { token }))).toBe("403 Access Denied");
    expect((await get("/api/devices", { token: await cloud.userToken(home) })).body.items).toHaveLength(2);
  });

  it("shows the devices of a hub that is offline as unknown", async () => {
    hub.cut();
    await cloud.clock.advance(0);
    expect((await get(`/api/devices/${lamp}`)).body.connection.state).toBe("unknown");
  });

  it("writes alias and metadata, and takes back what was read", async () => {
    const before = await get(`/api/devices/${lamp}`);
    const body = { ...before.body, alias: "desk", meta: { ...before.body.meta, room: "study" } };
    const written = await put(`/api/devices/${lamp}`, body, { headers: { "if-match": before.headers.etag ?? "" } });
    expect({ status: written.status, text: written.text }).toEqual({ status: 200, text: "" });
    const after = await get(`/api/devices/${home.environmentId};desk`);
    expect(after.body).toMatchObject({ id: lamp, alias: "desk", meta: { room: "study", "$.manufacturer": "Lumen" } });
    expect(after.headers.etag).toBe(written.headers.etag);
    expect(
      title(await put(`/api/devices/${lamp}`, { alias: "x" }, { headers: { "if-match": before.headers.etag ?? "" } })),
    ).toBe("412 Precondition Failed");
  });

  it("keeps a name that a client has written before the device's own", async () => {
    await put(`/api/devices/${lamp}`, { meta: { "$.name": "Mine", "$.model": "not mine" } });
    expect((await get(`/api/devices/${lamp}`)).body.meta).toMatchObject({
      "$.name": "Mine",
      "$.manufacturer": "Lumen",
    });
    expect((await get(`/api/devices/${lamp}`)).body.meta).not.toHaveProperty(["$.model"]);
  });

  it.each([
    [{ edgeId: "00-00-00-00-00-09" }, "400 Body Parameters Invalid"],
    [{ colour: "red" }, "400 Body Parameters Invalid"],
    [{ meta: [] }, "400 Metadata Format Invalid"],
    [{ alias: "a;b" }, "400 Alias Invalid"],
  ])("refuses to write %j", async (body, expected) => {
    expect(title(await put(`/api/devices/${lamp}`, body))).toBe(expected);
  });

  it("goes with its hub", async () => {
    await cloud.good("DELETE", `/api/clients/${client.id}`, { token: home.token });
    expect(title(await get(`/api/devices/${lamp}`))).toBe("404 Device Not Found");
    expect((await get("/api/devices")).body).toEqual({ items: [] });
    expect((await get(`/api/environments/${home.environmentId}/services/LightColor`)).body).toEqual({ items: [] });
    expect(hub.down).toBe("token_revoked");
  });
});

describe("…/services", () => {
  it("describes every service with its values", async () => {
    hub.answers.command = obey(1);
    await put(hue(), { value: 120 });
    const { body } = await get(`/api/devices/${lamp}/services`);
    expect(body.items[1]).toEqual({
      service: "LightColor",
      index: "0",
      properties: [
        {
          property: "hue",
          type: "number",
          unit: "deg",
          min: 0,
          max: 360,
          access: ["read", "write", "notify"],
          value: 120,
          modifiedAt: "1970-01-01 00:00:00Z",
          observedAt: "1970-01-01 00:00:00Z",
        },
        { property: "saturation", type: "number", min: 0, max: 100, access: ["read", "write", "notify"] },
      ],
    });
  });
});

describe("reading properties", () => {
  it("of an environment and of a device gives items from the cache", async () => {
    hub.answers.command = obey(1);
    await put(hue(), { value: 120 });
    const item = {
      ecosystemId: home.ecosystemId,
      id: home.environmentId,
      deviceId: lamp,
      service: "LightColor",
      index: "0",
      property: "hue",
      value: 120,
    };
    expect((await get(`/api/environments/${home.environmentId}/services/LightColor.hue`)).body).toEqual({
      items: [expect.objectContaining(item)],
    });
    expect((await get(hue())).body).toEqual({ items: [expect.objectContaining(item)] });
    expect((await get(`/api/environments/${home.environmentId}/services/Nothing.at_all`)).body).toEqual({ items: [] });
  });

  it("afresh says how long it was willing to wait", async () => {
    hub.answers.read = () => ({ items: [{ n: 1, value: 7, observedAt: 0 }] });
    const { headers, body } = await get(`${hue()}?refresh=true`, { headers: { prefer: "wait=90" } });
    expect({ applied: headers["preference-applied"], value: body.items[0].value }).toEqual({
      applied: "wait=60",
      value: 7,
    });
    expect((await get(`${hue()}?maxAge=86400`)).headers["preference-applied"]).toBeUndefined();
  });

  it.each([
    ["?refresh=yes", "400 Query Parameter Invalid"],
    ["?refresh=true&refresh=true", "400 Query Parameter Invalid"],
    ["?maxAge=-1", "400 Query Parameter Invalid"],
    ["?maxAge=86401", "400 Query Parameter Invalid"],
    ["?max=1", "400 No Query String Allowed"],
  ])("with %s is refused", async (query, expected) => {
    expect(title(await get(`/api/environments/${home.environmentId}/services/LightColor${query}`))).toBe(expected);
  });

  it("is cancelled on the hub when the caller goes away", async () => {
    const asked = Promise.withResolvers<void>();
    hub.answers.read = () => {
      asked.resolve();
      return silence();
    };
    const url = `${await cloud.app.listen()}${hue()}?refresh=true`;
    const request = httpGet(url, { headers: { authorization: `Bearer ${home.token}` } }).on("error", () => undefined);
    await asked.promise;
    request.destroy();
    while (!hub.notified.some(({ method }) => method === "cancel")) await settle();
    expect(hub.notified.at(-1)).toEqual({ method: "cancel", params: { id: hub.asked[0]?.id } });
  });

  it("of more than 1,000 items is written as a stream, and is the same JSON", async () => {
    const many = Array.from({ length: 21 }, (_, n) => ({
      service: "Electricity",
      index: String(n),
      properties: Array.from({ length: 60 }, (_, p) => ({
        property: `p${p}`,
        type: "number",
        access: ["read", "notify"],
      })),
    }));
    await announce([{ edgeId: "00-00-00-00-00-03", services: many }]);
    const records = many.flatMap(({ index, properties }) =>
      properties.map(({ property }) => ({
        kind: "value",
        device: "00-00-00-00-00-03",
        service: "Electricity",
        index,
        property,
        value: "é".repeat(20),
        observedAt: 0,
        cause: "report",
      })),
    );
    for (let at = 0; at < records.length; at += 500)
      await hub.ask("records", {
        records: records.slice(at, at + 500).map((record, n) => ({ ...record, n: at + n + 1 })),
      });
    const { status, headers, body } = await get(`/api/environments/${home.environmentId}/services/Electricity`);
    expect({ status, type: headers["content-type"] }).toEqual({ status: 200, type: "application/json; charset=utf-8" });
    expect(body.items).toHaveLength(1260);
    expect(body.items.at(-1)).toMatchObject({ index: "20", property: "p59", value: "é".repeat(20) });
  });
});

describe("setting a property", () => {
  it("answers what the device confirmed, with the command's ID, which can be looked up", async () => {
    hub.answers.command = obey(1, { value: 119.5 });
    const { status, headers, body } = await put(hue(), { value: 120 }, { headers: { prefer: "wait=3" } });
    expect({ status, value: body.value, applied: headers["preference-applied"] }).toEqual({
      status: 200,
      value: 119.5,
      applied: "wait=3",
    });
    const command = await get(`/api/commands/${headers["x-command-id"]}`);
    expect(command.body).toMatchObject({
      id: headers["x-command-id"],
      deviceId: lamp,
      property: "hue",
      value: 120,
      state: "confirmed",
      outcome: "confirmed",
    });
  });

  it("says in every failure what became of the command", async () => {
    hub.answers.command = obey(1, {
      value: undefined,
      outcome: "rejected",
      failure: { name: "Device Rejected", detail: "no", code: 8 },
    });
    const rejected = await put(hue(), { value: 120 });
    expect(rejected.body).toMatchObject({
      status: 422,
      title: "Device Rejected",
      outcome: "rejected",
      detail: "no",
      code: 8,
    });
    expect((await get(`/api/commands/${rejected.headers["x-command-id"]}`)).body).toMatchObject({
      state: "rejected",
      error: { name: "Device Rejected", detail: "no", code: 8 },
    });
    hub.cut();
    await cloud.clock.advance(0);
    const offline = await put(hue(), { value: 120 });
    expect(offline.body).toMatchObject({
      status: 503,
      title: "Hub Offline",
      outcome: "not_sent",
      lastSeenAt: expect.any(String),
    });
    expect(offline.headers["retry-after"]).toBe("5");
  });

  it("is 504 when the hub is silent, and the command stays open", async () => {
    const asked = Promise.withResolvers<void>();
    hub.answers.command = () => {
      asked.resolve();
      return silence();
    };
    const setting = put(hue(), { value: 120 });
    await asked.promise;
    await cloud.clock.advance(10_000);
    const reply = await setting;
    expect(reply.body).toMatchObject({ status: 504, title: "Hub Timeout", outcome: "unknown" });
    expect((await get(`/api/commands/${reply.headers["x-command-id"]}`)).body).toMatchObject({
      state: "sent",
      outcome: "unknown",
    });
  });

  it.each([
    [{}, "400 Body Parameters Missing"],
    [{ value: 1, colour: "red" }, "400 Body Parameters Invalid"],
    [{ value: 1, ttlSeconds: 60 }, "400 Body Parameters Invalid"],
    [{ value: null }, "400 Property Value Invalid"],
    [{ value: 400 }, "400 Property Value Invalid"],
    [[], "400 Body Parameters Invalid"],
  ])("refuses the body %j", async (body, expected) => {
    expect(title(await put(hue(), body))).toBe(expected);
    expect(hub.asked).toEqual([]);
  });

  it("names what is wrong with the selector, every answer with a command's ID", async () => {
    const reply = await put(`/api/devices/${lamp}/services/Fan.speed`, { value: 1 });
    expect(title(reply)).toBe("404 Service Not Found");
    expect(reply.headers["x-command-id"]).toMatch(/^cmd_/);
    expect(title(await put(`/api/devices/${lamp}/services/Temperature.celsius`, { value: 1 }))).toBe(
      "400 Property Not Writable",
    );
  });
});

describe("/api/commands", () => {
  it("knows a stranger's command as little as one that was never issued", async () => {
    hub.answers.command = obey(1);
    const { headers } = await put(hue(), { value: 120 });
    const stranger = await cloud.home();
    expect(title(await get(`/api/commands/${headers["x-command-id"]}`, { token: stranger.token }))).toBe(
      "400 Command Invalid",
    );
    expect(title(await get("/api/commands/cmd_x"))).toBe("400 Command Invalid");
  });
});
