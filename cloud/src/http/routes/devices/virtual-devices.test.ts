/** Virtual devices over the whole cloud: made, read, set, reported for, and deleted (A2, A3, A4). */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, type Reply, TestCloud } from "../../../app.fixture.ts";

let cloud: TestCloud;
let home: Home;
beforeEach(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
});
afterEach(() => cloud[Symbol.asyncDispose]());

type Options = { token?: string; headers?: Record<string, string> };
const call = (method: "GET" | "POST" | "PUT" | "DELETE", url: string, body?: unknown, options: Options = {}) =>
  cloud.call(method, url, { token: home.token, ...(body !== undefined && { body }), ...options });
const title = ({ status, body }: Reply) => `${status} ${body.title}`;
const LAMP = [
  { service: "LightColor" },
  { service: "Temperature", properties: [{ property: "celsius", value: 20.5 }] },
];

const make = async (more: object = {}): Promise<string> => {
  const reply = await call("POST", "/api/devices", { environmentId: home.environmentId, services: LAMP, ...more });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.id;
};

async function events(): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const rows = await cloud.rows((build) => build.selectFrom("events").select(["type", "data"]).orderBy("sequence"));
  return rows.map(({ type, data }) => ({ type, data: JSON.parse(data) }));
}
const eventTypes = async () =>
  (await events()).map(({ type }) => type).filter((type) => /^(device|property)/.test(type));

describe("a virtual device", () => {
  it("is made with what the catalogue knows of its services and its initial values, and is announced", async () => {
    const body = { environmentId: home.environmentId, alias: "mood", meta: { room: "study" }, services: LAMP };
    const made = await call("POST", "/api/devices", body);
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^dev_/),
      ecosystemId: home.ecosystemId,
      environmentId: home.environmentId,
      type: "virtual",
      alias: "mood",
      meta: { room: "study" },
      createdAt: expect.any(String),
    });
    expect(made.headers.location).toBe(`/api/devices/${made.body.id}`);
    const shown = await call("GET", `/api/devices/${home.environmentId};mood`);
    expect(shown.body).toEqual(made.body);
    expect(shown.headers.etag).toBe(made.headers.etag);
    const { body: services } = await call("GET", `/api/devices/${made.body.id}/services`);
    expect(services.items).toMatchObject([
      { service: "LightColor", index: "0", properties: [{ property: "hue", max: 360 }, { property: "saturation" }] },
      { service: "Temperature", properties: [{ property: "celsius", value: 20.5, modifiedAt: expect.any(String) }] },
    ]);
    expect(await eventTypes()).toEqual(["device.added", "property.changed"]);
    expect((await call("GET", "/api/devices?type=virtual")).body.items).toEqual([made.body]);
  });

  it("can be made again from what was read of its services", async () => {
    const { body } = await call("GET", `/api/devices/${await make()}/services`);
    const copy = await make({ services: body.items });
    expect((await call("GET", `/api/devices/${copy}/services/Temperature.celsius`)).body.items).toMatchObject([
      { deviceId: copy, value: 20.5 },
    ]);
  });

  it.each<[string, object, string]>([
    ["no environment", { services: LAMP }, "400 Environment Missing"],
    ["no services", { environmentId: "ENV" }, "400 Body Parameters Missing"],
    ["an empty list of services", { environmentId: "ENV", services: [] }, "400 Body Parameters Invalid"],
    ["a service without a name", { environmentId: "ENV", services: [{}] }, "400 Body Parameters Invalid"],
    [
      "a bad index",
      { environmentId: "ENV", services: [{ service: "Switch", index: "01" }] },
      "400 Body Parameters Invalid",
    ],
    ["a type of its own", { environmentId: "ENV", services: LAMP, type: "virtual" }, "400 Body Parameters Invalid"],
    ["an alias that is none", { environmentId: "ENV", services: LAMP, alias: "a;b" }, "400 Alias Invalid"],
    ["metadata that is none", { environmentId: "ENV", services: LAMP, meta: [] }, "400 Metadata Format Invalid"],
    ["an environment that is none", { environmentId: "env_x", services: LAMP }, "400 Environment Invalid"],
    [
      "an initial value out of range",
      { environmentId: "ENV", services: [{ service: "LightColor", properties: [{ property: "hue", value: 361 }] }] },
      "400 Property Value Invalid",
    ],
  ])("is not made with %s", async (_what, body, expected) => {
    const filled = JSON.parse(JSON.stringify(body).replace('"ENV"', JSON.stringify(home.environmentId)));
    expect(title(await call("POST", "/api/devices", filled))).toBe(expected);
    expect((await call("GET", "/api/devices")).body.items).toEqual([]);
    expect(await eventTypes()).toEqual([]);
  });

  it("shares its alias with no other device", async () => {
    await make({ alias: "mood" });
    const again = { environmentId: home.environmentId, services: LAMP, alias: "mood" };
    expect(title(await call("POST", "/api/devices", again))).toBe("400 Alias Exists");
  });

  it("is not made by a user without access to the environment", async () => {
    const user = await cloud.good("POST", "/api/users", { token: home.token, body: { key: "u" } });
    const token = await cloud.userToken(home, user.id);
    const body = { environmentId: home.environmentId, services: LAMP };
    expect(title(await call("POST", "/api/devices", body, { token }))).toBe("403 Access Denied");
    expect((await call("POST", "/api/devices", body, { token: await cloud.userToken(home) })).status).toBe(201);
  });

  it("is one too many past the quota of its environment", async () => {
    await using small = await TestCloud.start({ maxDevicesPerEnvironment: 2 });
    const other = await small.home();
    const body = { environmentId: other.environmentId, services: LAMP };
    await small.good("POST", "/api/devices", { token: other.token, body });
    const { id } = await small.good("POST", "/api/devices", { token: other.token, body });
    expect(title(await small.call("POST", "/api/devices", { token: other.token, body }))).toBe("403 Quota Exceeded");
    await small.good("DELETE", `/api/devices/${id}`, { token: other.token });
    await small.good("POST", "/api/devices", { token: other.token, body });
  });
});

describe("a property of a virtual device", () => {
  it("is set at once, with a command that can be looked up and an event that names it", async () => {
    const id = await make();
    const reply = await call("PUT", `/api/devices/${id}/services/LightColor.hue`, { value: 120 });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ id: home.environmentId, deviceId: id, property: "hue", value: 120 });
    const commandId = reply.headers["x-command-id"];
    expect((await call("GET", `/api/commands/${commandId}`)).body).toMatchObject({
      deviceId: id,
      value: 120,
      state: "confirmed",
      outcome: "confirmed",
    });
    expect((await events()).at(-1)).toMatchObject({
      type: "property.changed",
      data: { item: { value: 120 }, cause: { kind: "command", commandId } },
    });
    for (const query of ["", "?refresh=true", "?maxAge=0"]) {
      const { body } = await call("GET", `/api/devices/${id}/services/LightColor.hue${query}`);
      expect(body).toEqual({ items: [reply.body] });
    }
  });

  it("that is set to what it is moves only when it was observed", async () => {
    const id = await make();
    const first = await call("PUT", `/api/devices/${id}/services/LightColor.hue`, { value: 120 });
    const published = (await events()).length;
    await cloud.clock.advance(5_000);
    const second = await call("PUT", `/api/devices/${id}/services/LightColor.hue`, { value: 120 });
    expect(second.body.modifiedAt).toBe(first.body.modifiedAt);
    expect(second.body.observedAt > first.body.observedAt).toBe(true);
    expect((await events()).length).toBe(published);
  });

  it.each([
    ["LightColor.hue", { value: 361 }, "400 Property Value Invalid"],
    ["LightColor.hue", { value: null }, "400 Property Value Invalid"],
    ["LightColor.tint", { value: 1 }, "400 Service Property Invalid"],
    ["LightColor", { value: 1 }, "400 Service Property Invalid"],
    ["Fan.on", { value: true }, "404 Service Not Found"],
    ["Temperature.celsius", { value: 21 }, "400 Property Not Writable"],
    ["Temperature.celsius", { value: 21, report: false }, "400 Property Not Writable"],
    ["Temperature.celsius", { value: 21, report: "yes" }, "400 Body Parameters Invalid"],
    ["Temperature.celsius", { value: "warm", report: true }, "400 Property Value Invalid"],
    ["LightColor.hue", { value: 1, ttlSeconds: 60 }, "400 Body Parameters Invalid"],
  ])("%s is not set by %j", async (selector, body, expected) => {
    const id = await make();
    const published = (await events()).length;
    expect(title(await call("PUT", `/api/devices/${id}/services/${selector}`, body))).toBe(expected);
    expect((await events()).length).toBe(published);
  });

  it("that cannot be set is reported, as its own sensor would, by account and server", async () => {
    const id = await make();
    const celsius = `/api/devices/${id}/services/Temperature.celsius`;
    const token = await cloud.serverToken(home);
    expect((await call("PUT", celsius, { value: 21, report: true }, { token })).body.value).toBe(21);
    expect((await events()).at(-1)).toMatchObject({ data: { previousValue: 20.5, cause: { kind: "device" } } });
    const user = { token: await cloud.userToken(home) };
    expect(title(await call("PUT", celsius, { value: 22, report: true }, user))).toBe("400 Property Not Writable");
  });

  it("takes each of many writes at once, in their order", async () => {
    const id = await make();
    const hue = `/api/devices/${id}/services/LightColor.hue`;
    // All that has to be looked up first is known then: from here on the requests are accepted as they come.
    await call("PUT", hue, { value: 360 });
    const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => call("PUT", hue, { value: n })));
    expect(replies.map(({ body }) => body.value)).toEqual(Array.from({ length: 50 }, (_, n) => n));
    const changes = (await events()).filter(({ data }) => (data.item as { property?: string })?.property === "hue");
    expect(changes.slice(1).map(({ data }) => (data.item as { value: number }).value)).toEqual(
      Array.from({ length: 50 }, (_, n) => n),
    );
  });

  it("is there after a start of the cloud", async () => {
    const id = await make();
    await call("PUT", `/api/devices/${id}/services/LightColor.hue`, { value: 77 });
    await cloud.app[Symbol.asyncDispose]();
    await using again = await cloud.restart();
    const url = `/api/devices/${id}/services/LightColor.hue`;
    expect((await again.good("GET", url, { token: home.token })).items).toMatchObject([{ value: 77 }]);
  });
});

describe("a device that is deleted", () => {
  it("is gone from every answer, is announced as removed, and gives its alias back", async () => {
    const id = await make({ alias: "mood" });
    const zone = await cloud.good("POST", "/api/zones", {
      token: home.token,
      body: { environmentId: home.environmentId, items: [id] },
    });
    await call("GET", `/api/environments/${home.environmentId}/services/Temperature`);
    const reply = await call("DELETE", `/api/devices/${home.environmentId};mood`);
    expect({ status: reply.status, text: reply.text }).toEqual({ status: 200, text: "" });
    expect(title(await call("GET", `/api/devices/${id}`))).toBe("404 Device Not Found");
    expect(title(await call("DELETE", `/api/devices/${id}`))).toBe("404 Device Not Found");
    expect(title(await call("PUT", `/api/devices/${id}/services/LightColor.hue`, { value: 1 }))).toBe(
      "404 Device Not Found",
    );
    expect((await call("GET", "/api/devices")).body.items).toEqual([]);
    expect((await call("GET", `/api/environments/${home.environmentId}/services/Temperature`)).body.items).toEqual([]);
    expect((await call("GET", `/api/zones/${zone.id}`)).body.items).toEqual([]);
    expect((await events()).at(-1)).toMatchObject({ type: "device.removed", data: { id, alias: "mood" } });
    await make({ alias: "mood" });
  });

  it("stays when it is not as `if-match` says", async () => {
    const id = await make();
    const { headers } = await call("GET", `/api/devices/${id}`);
    await call("PUT", `/api/devices/${id}`, { alias: "mood" });
    const stale = { headers: { "if-match": headers.etag ?? "" } };
    expect(title(await call("DELETE", `/api/devices/${id}`, undefined, stale))).toBe("412 Precondition Failed");
    expect((await call("GET", `/api/devices/${id}`)).status).toBe(200);
  });

  it("leaves who made, changed and deleted it", async () => {
    const id = await make();
    await call("PUT", `/api/devices/${id}`, { alias: "mood" });
    await call("DELETE", `/api/devices/${id}`);
    const rows = await cloud.rows((build) =>
      build.selectFrom("audit_entries").select("action").where("object_id", "=", id).orderBy("id"),
    );
    expect(rows.map(({ action }) => action)).toEqual(["device.created", "device.updated", "device.deleted"]);
  });
});

describe("/api/services", () => {
  it("lists the standard classes, each with what a device leaves out", async () => {
    const { body } = await call("GET", "/api/services");
    expect(body.items).toHaveLength(26);
    expect(body.items).toContainEqual({
      service: "Lock",
      title: "Lock",
      properties: [
        { property: "locked", title: "Lock", type: "boolean", access: ["read", "write", "notify"] },
        { property: "jammed", title: "Jam", type: "boolean", access: ["read", "notify"] },
      ],
    });
  });
});
