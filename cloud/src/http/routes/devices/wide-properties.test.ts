/** Reads and writes of a whole environment or zone, virtual and physical devices side by side (A2, A3). */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClientPrincipal } from "../../../access/index.ts";
import { type Home, type Reply, TestCloud } from "../../../app.fixture.ts";
import { LAMP, LAMP_SERVICES, obey } from "../../../devices/devices.fixture.ts";
import { newKey, ScriptedHub } from "../../../tunnels/tunnels.fixture.ts";

let cloud: TestCloud;
let home: Home;
let hub: ScriptedHub;
/** One on the hub, two in the cloud; the last is locked to blue. */
let lamp: string;
let mood: string;
let blue: string;

beforeEach(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
  const { token, environmentId } = home;
  const client = await cloud.good("POST", "/api/clients", { token, body: { environmentId } });
  const made = await cloud.good("POST", `/api/clients/${client.id}/tokens`, { token });
  const principal: ClientPrincipal = await cloud.app.authenticateClient(made.token);
  const host = { clock: cloud.clock, accept: cloud.app.acceptTunnel.bind(cloud.app) };
  hub = await ScriptedHub.connect(host, principal, { key: newKey(), hello: {} });
  const announced = { edgeId: LAMP, digest: "d1", arrival: 1, online: true };
  await hub.ask("inventory", { digest: "all", devices: [announced] });
  await hub.ask("describe", { ...announced, about: {}, part: 0, parts: 1, services: LAMP_SERVICES });
  lamp = (await get("/api/devices")).body.items[0].id;
  mood = await make([{ service: "LightColor" }]);
  blue = await make([{ service: "LightColor", properties: [{ property: "hue", min: 200, max: 260, value: 220 }] }]);
});
afterEach(() => cloud[Symbol.asyncDispose]());

type Options = { token?: string; headers?: Record<string, string> };
const get = (url: string, options: Options = {}): Promise<Reply> =>
  cloud.call("GET", url, { token: home.token, ...options });
const put = (url: string, body: unknown, options: Options = {}): Promise<Reply> =>
  cloud.call("PUT", url, { token: home.token, body, ...options });
const title = ({ status, body }: Reply) => `${status} ${body.title}`;

async function make(services: unknown): Promise<string> {
  const body = { environmentId: home.environmentId, services };
  return (await cloud.good("POST", "/api/devices", { token: home.token, body })).id;
}
async function zoneOf(...items: string[]): Promise<string> {
  const body = { environmentId: home.environmentId, items };
  return (await cloud.good("POST", "/api/zones", { token: home.token, body })).id;
}
const everywhere = (selector: string) => `/api/environments/${home.environmentId}/services/${selector}`;
const values = ({ body }: Reply) =>
  body.items.map((item: { deviceId: string; value: unknown }) => [item.deviceId, item.value]);

describe("the services of a whole environment", () => {
  it("are those of each device, in the order of their IDs, as each device's own route returns them", async () => {
    await cloud.good("PUT", `/api/devices/${mood}/services/LightColor.hue`, { token: home.token, body: { value: 5 } });
    const { items } = (await get(`/api/environments/${home.environmentId}/services`)).body;
    expect(items.map(({ deviceId }: { deviceId: string }) => deviceId)).toEqual([lamp, mood, blue].toSorted());
    for (const { deviceId, services } of items)
      expect(services).toEqual((await get(`/api/devices/${deviceId}/services`)).body.items);
  });

  it("are none where no device is", async () => {
    const { id } = await cloud.good("POST", "/api/environments", { token: home.token, body: {} });
    expect((await get(`/api/environments/${id}/services`)).body).toEqual({ items: [] });
  });
});

describe("a write to a whole environment", () => {
  it("reaches physical and virtual devices alike, one entry for each", async () => {
    hub.answers.command = obey(1);
    const reply = await put(everywhere("LightColor.hue"), { value: 240 }, { headers: { prefer: "wait=5" } });
    expect(reply.status).toBe(200);
    expect(values(reply)).toEqual([
      [lamp, 240],
      [mood, 240],
      [blue, 240],
    ]);
    expect(reply.body).not.toHaveProperty("failures");
    expect(reply.headers["preference-applied"]).toBe("wait=5");
    expect(hub.asked.filter(({ method }) => method === "command")).toHaveLength(1);
    expect(values(await get(everywhere("LightColor.hue")))).toEqual(values(reply));
  });

  it("says for each that refused or could not be reached what became of it", async () => {
    hub.cut();
    await cloud.clock.advance(0);
    const reply = await put(everywhere("LightColor.hue"), { value: 120 });
    expect(reply.status).toBe(200);
    expect(values(reply)).toEqual([[mood, 120]]);
    expect(reply.body.failures).toEqual([
      {
        deviceId: lamp,
        service: "LightColor",
        index: "0",
        property: "hue",
        name: "Hub Offline",
        detail: expect.any(String),
        outcome: "not_sent",
        commandId: expect.stringMatching(/^cmd_/),
      },
      {
        deviceId: blue,
        service: "LightColor",
        index: "0",
        property: "hue",
        name: "Property Value Invalid",
        detail: "The value must be at least 200.",
        outcome: "not_sent",
        lastKnown: { value: 220, modifiedAt: expect.any(String), observedAt: expect.any(String) },
      },
    ]);
    const [{ commandId }] = reply.body.failures;
    expect((await get(`/api/commands/${commandId}`)).body).toMatchObject({ state: "failed", outcome: "not_sent" });
  });

  it("ends at its deadline, and what has not been sent by then is not sent", async () => {
    const edges = Array.from({ length: 39 }, (_, n) => `00-00-00-00-01-${(n + 16).toString(16).toUpperCase()}`);
    const announced = [LAMP, ...edges].map((edgeId) => ({ edgeId, digest: "d1", arrival: 1, online: true }));
    await hub.ask("inventory", { digest: "more", devices: announced });
    for (const each of announced.slice(1))
      await hub.ask("describe", { ...each, about: {}, part: 0, parts: 1, services: LAMP_SERVICES });
    const many = Promise.withResolvers<void>();
    let asked = 0;
    hub.answers.command = () => {
      asked += 1;
      if (asked === 32) many.resolve();
      return new Promise(() => undefined);
    };
    const writing = put(everywhere("LightColor.hue"), { value: 240 }, { headers: { prefer: "wait=2" } });
    await many.promise;
    await cloud.clock.advance(2_000);
    const reply = await writing;
    expect(values(reply)).toEqual([
      [mood, 240],
      [blue, 240],
    ]);
    const outcomes = reply.body.failures.map((failure: { outcome: string }) => failure.outcome);
    expect(Object.groupBy(outcomes, (outcome: string) => outcome)).toMatchObject({
      unknown: { length: 32 },
      not_sent: { length: 8 },
    });
    expect(asked).toBe(32);
  });

  it("means every instance of a service, or the one whose index is named", async () => {
    const gang = await make([{ service: "Switch" }, { service: "Switch", index: "1" }]);
    hub.answers.command = obey(1);
    const all = await put(everywhere("Switch.on"), { value: true });
    expect(all.body.items.map((item: { deviceId: string; index: string }) => [item.deviceId, item.index])).toEqual([
      [lamp, "0"],
      [gang, "0"],
      [gang, "1"],
    ]);
    expect(values(await put(everywhere("Switch:1.on"), { value: false }))).toEqual([[gang, false]]);
  });

  it.each([
    ["%20", "404 Service Not Found"],
    ["Fan.on", "404 Service Not Found"],
    ["LightColor:5.hue", "404 Service Not Found"],
    ["LightColor", "400 Service Property Invalid"],
    ["LightColor.tint", "400 Service Property Invalid"],
  ])("is refused for the selector %s", async (selector, expected) => {
    expect(title(await put(everywhere(selector), { value: 1 }))).toBe(expected);
  });

  it.each([
    [{}, "400 Body Parameters Missing"],
    [{ value: 1, report: true }, "400 Body Parameters Invalid"],
    [{ value: 1, ttlSeconds: 5 }, "400 Body Parameters Invalid"],
  ])("is refused for the body %j", async (body, expected) => {
    expect(title(await put(everywhere("LightColor.hue"), body))).toBe(expected);
  });
});

describe("a zone", () => {
  it("is read and written with the zones within it, a device counting once", async () => {
    const inner = await zoneOf(blue, mood);
    const outer = await zoneOf(inner, blue);
    expect(values(await get(`/api/zones/${outer}/services/LightColor.hue`))).toEqual([[blue, 220]]);
    const reply = await put(`/api/zones/${outer}/services/LightColor.hue`, { value: 230 });
    expect(values(reply)).toEqual([
      [mood, 230],
      [blue, 230],
    ]);
    expect(hub.asked.filter(({ method }) => method === "command")).toEqual([]);
    expect(values(await get(`/api/zones/${outer}/services/LightColor.hue?refresh=true`))).toEqual(values(reply));
  });

  it("has the services of its own devices only", async () => {
    const zone = await zoneOf(mood);
    expect(title(await get(`/api/zones/${zone}/services/Switch?refresh=true`))).toBe("404 Service Not Found");
    expect((await get(`/api/zones/${zone}/services/Switch`)).body).toEqual({ items: [] });
    expect(title(await put(`/api/zones/${zone}/services/Switch.on`, { value: true }))).toBe("404 Service Not Found");
  });

  it("is asked of its hubs when it is read afresh", async () => {
    const zone = await zoneOf(lamp, mood);
    hub.cut();
    await cloud.clock.advance(0);
    const reply = await get(`/api/zones/${zone}/services/LightColor.hue?maxAge=60`);
    expect(reply.body).toMatchObject({ items: [], failures: [{ deviceId: lamp, name: "Hub Offline" }] });
  });

  it("confines a list of devices to what is in it, however deep, page by page", async () => {
    const inner = await zoneOf(blue);
    const outer = await zoneOf(inner, lamp, blue);
    const first = (await get(`/api/devices?zoneId=${outer}&pageSize=1`)).body;
    expect(first.items.map(({ id }: { id: string }) => id)).toEqual([lamp]);
    const next = `/api/devices?zoneId=${outer}&pageSize=1&continuationToken=${first.continuationToken}`;
    expect((await get(next)).body).toMatchObject({ items: [{ id: blue }] });
    expect((await get(`/api/devices?zoneId=${outer}&type=virtual`)).body.items).toHaveLength(1);
    expect((await get(`/api/devices?zoneId=${await zoneOf()}`)).body.items).toEqual([]);
    const other = await cloud.good("POST", "/api/environments", { token: home.token, body: {} });
    expect((await get(`/api/devices?zoneId=${outer}&environmentId=${other.id}`)).body.items).toEqual([]);
  });

  it.each([
    ["/api/devices?zoneId=zon_x", "400 Zone Invalid"],
    ["/api/zones/zon_x/services/Switch.on", "400 Zone Invalid"],
  ])("is not found by %s", async (url, expected) => {
    expect(title(await get(url))).toBe(expected);
  });

  it("that is gone is 404", async () => {
    const zone = await zoneOf(mood);
    await cloud.good("DELETE", `/api/zones/${zone}`, { token: home.token });
    expect(title(await get(`/api/devices?zoneId=${zone}`))).toBe("404 Zone Not Found");
    expect(title(await put(`/api/zones/${zone}/services/LightColor.hue`, { value: 1 }))).toBe("404 Zone Not Found");
  });
});

describe("a physical device that is deleted", () => {
  const announce = async (arrival: number) => {
    const announced = { edgeId: LAMP, digest: "d1", arrival, online: true };
    const { wanted } = (await hub.ask("inventory", { digest: `all ${arrival}`, devices: [announced] })) as {
      wanted: string[];
    };
    if (wanted.length > 0)
      await hub.ask("describe", { ...announced, about: {}, part: 0, parts: 1, services: LAMP_SERVICES });
  };
  const physical = async () => (await get("/api/devices?type=physical")).body.items.map(({ id }: { id: string }) => id);

  it("is forgotten until its hub announces it afresh, and then is another", async () => {
    await cloud.good("DELETE", `/api/devices/${lamp}`, { token: home.token });
    const target = { device: LAMP, service: "LightColor", index: "0", property: "hue" };
    const record = { kind: "value", n: 1, ...target, value: 9, observedAt: 0, cause: "report" };
    expect(await hub.ask("records", { records: [record] })).toEqual({ acknowledged: 1 });
    await announce(1);
    expect(await physical()).toEqual([]);
    expect(values(await get(everywhere("LightColor.hue")))).toEqual([[blue, 220]]);
    await announce(2);
    const [again] = await physical();
    expect(again).toMatch(/^dev_/);
    expect(again).not.toBe(lamp);
    expect(title(await get(`/api/devices/${lamp}`))).toBe("404 Device Not Found");
  });

  it("takes the command with it that its hub has not answered yet", async () => {
    const asked = Promise.withResolvers<void>();
    hub.answers.command = () => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    const setting = put(`/api/devices/${lamp}/services/LightColor.hue`, { value: 120 });
    await asked.promise;
    await cloud.clock.advance(10_000);
    const commandId = (await setting).headers["x-command-id"];
    expect((await get(`/api/commands/${commandId}`)).body.state).toBe("sent");
    await cloud.good("DELETE", `/api/devices/${lamp}`, { token: home.token });
    expect((await get(`/api/commands/${commandId}`)).body).toMatchObject({
      state: "failed",
      outcome: "unknown",
      error: { name: "Device Not Found" },
    });
  });

  it("is not reported for over the API", async () => {
    const celsius = `/api/devices/${lamp}/services/Temperature.celsius`;
    expect(title(await put(celsius, { value: 1, report: true }))).toBe("400 Property Not Writable");
  });
});
