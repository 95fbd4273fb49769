/** The specification's own examples, 4.1 to 4.7, in plain HTTP as they are written there, on either store. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContractCloud, type Owner, STORES } from "./cloud.ts";

describe.each(STORES)("the specification's examples on %s", (store) => {
  let cloud: ContractCloud;
  let owner: Owner;
  let environmentId: string;
  let zoneId: string;
  beforeAll(async () => {
    cloud = await ContractCloud.start(store);
    owner = await cloud.owner();
    ({ environmentId } = owner);
  });
  afterAll(() => cloud[Symbol.asyncDispose]());

  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { "content-type": "application/json" },
  ) {
    const authorization = `Bearer ${owner.serverToken}`;
    const response = await cloud.fetch(cloud.url + path, {
      method,
      headers: { authorization, ...(body !== undefined && headers) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer by comparing it
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : undefined) as any };
  }

  it.each(["/api/zones", "/v0/api/zones/"])("4.1 makes a zone at %s", async (path) => {
    const alias = `living-room ${path.length}`;
    const { status, body } = await send("POST", path, { environmentId, meta: { floor: 1 }, alias });
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(["alias", "createdAt", "ecosystemId", "environmentId", "id", "meta"]);
    expect(body).toMatchObject({ alias, environmentId, ecosystemId: owner.ecosystemId, meta: { floor: 1 } });
    expect(body.createdAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/);
    zoneId = body.id;
  });

  it("4.1 makes a zone with system metadata under a prefix of one's own", async () => {
    const headers = { "content-type": "application/json", "x-system-metadata-prefix": "sys:" };
    const { body } = await send("POST", "/api/zones", { environmentId, meta: { "sys:kind": "room" } }, headers);
    expect(body.meta).toEqual({ "sys:kind": "room" });
    expect((await send("GET", `/api/zones/${body.id}`)).body.meta).toEqual({ "$.kind": "room" });
  });

  it("4.1 names every error of its table", async () => {
    const gone = (await send("POST", "/api/environments", {})).body.id;
    await send("DELETE", `/api/environments/${gone}`);
    const problems = [
      await send("POST", "/api/zones", { environmentId }, { "content-type": "text/plain" }),
      await send("POST", "/api/zones", { environmentId }, {}),
      await send("POST", "/api/zones", { environmentId: "home" }),
      await send("POST", "/api/zones", {}),
      await send("POST", "/api/zones?colour=red", { environmentId }),
      await send("POST", "/api/zones", { environmentId, meta: "{}" }),
      await send("POST", "/api/zones", { environmentId, alias: "a;b" }),
      await send("POST", "/api/zones", { environmentId, alias: "living-room 10" }),
      await send("POST", "/api/zones", { environmentId: gone }),
    ];
    expect(problems.map(({ status, body }) => `${status} ${body.title}`)).toEqual([
      "400 Body Parameters Missing",
      "400 Body Parameters Missing",
      "400 Environment Invalid",
      "400 Environment Missing",
      "400 No Query String Allowed",
      "400 Metadata Format Invalid",
      "400 Alias Invalid",
      "400 Alias Exists",
      "404 Environment Not Found",
    ]);
  });

  it("4.5 sets a property through an alias and its parent", async () => {
    const services = [{ service: "LightColor" }, { service: "Temperature" }];
    const made = await send("POST", "/api/devices", { environmentId, alias: "lamp", services });
    expect(made.status).toBe(201);
    const set = await send("PUT", `/api/devices/${environmentId};lamp/services/LightColor.hue`, { value: 120 });
    expect(set).toMatchObject({
      status: 200,
      body: { id: environmentId, deviceId: made.body.id, index: "0", value: 120 },
    });
    await send("PUT", `/api/zones/${zoneId}`, { alias: "kitchen", items: [made.body.id] });
    const deep = `/v0/api/devices/${environmentId};kitchen;lamp/services/LightColor.hue/`;
    expect((await send("PUT", deep, { value: 240 })).body).toMatchObject({ value: 240 });
    expect((await send("PUT", "/api/devices/lamp/services/LightColor.hue", { value: 1 })).body.title).toBe(
      "Device Invalid",
    );
  });

  it("4.2 gives the properties of an environment's devices, of a class or one of them", async () => {
    const one = await send("GET", `/api/environments/${environmentId}/services/LightColor.hue`);
    expect(one.body.items).toEqual([
      {
        ...{
          ecosystemId: owner.ecosystemId,
          id: environmentId,
          index: "0",
          property: "hue",
          service: "LightColor",
          value: 240,
        },
        ...{ deviceId: expect.any(String), modifiedAt: expect.any(String), observedAt: expect.any(String) },
      },
    ]);
    const all = await send("GET", `/api/environments/${environmentId}/services/LightColor`);
    expect(all.body.items).toContainEqual(one.body.items[0]);
    expect((await send("GET", `/api/environments/${environmentId}/services/No:t.a:selector`)).body).toEqual({
      items: [],
    });
  });

  it("4.2 names every error of its table", async () => {
    const gone = (await send("POST", "/api/environments", {})).body.id;
    await send("DELETE", `/api/environments/${gone}`);
    const problems = [
      await send("GET", "/api/environments/home/services/LightColor"),
      await send("GET", `/api/environments/${environmentId}/services/LightColor?colour=red`),
      await send("GET", `/api/environments/${environmentId}/services/LightColor.weight?refresh=true`),
      await send("GET", `/api/environments/${gone}/services/LightColor`),
      await send("GET", `/api/environments/${environmentId}/services/Toaster?refresh=true`),
    ];
    expect(problems.map(({ status, body }) => `${status} ${body.title}`)).toEqual([
      "400 Environment Invalid",
      "400 No Query String Allowed",
      "400 Service Property Invalid",
      "404 Environment Not Found",
      "404 Service Not Found",
    ]);
  });

  it("4.6 makes a token of a client", async () => {
    const client = await send("POST", "/api/clients", { environmentId });
    const made = await send("POST", `/api/clients/${client.body.id}/tokens`);
    expect(made).toMatchObject({ status: 201, body: { type: "client", token: expect.stringMatching(/^plt_cli_/) } });
  });

  it("4.7 gives 10,000 devices 1000 at a time, each once, and the last page without a token", {
    timeout: 300_000,
  }, async () => {
    const { id } = (await send("POST", "/api/environments", {})).body;
    const services = [{ service: "Contact" }];
    const many = Array.from({ length: 10_000 }, (_, number) => number);
    const lanes = Array.from({ length: 50 }, async () => {
      for (let number = many.pop(); number !== undefined; number = many.pop())
        await send("POST", "/api/devices", { environmentId: id, services });
    });
    await Promise.all(lanes);
    const sizes: number[] = [];
    const seen = new Set<string>();
    let next = "";
    do {
      const { body } = await send("GET", `/api/devices?environmentId=${id}${next && `&continuationToken=${next}`}`);
      sizes.push(body.items.length);
      for (const device of body.items) seen.add(device.id);
      next = encodeURIComponent(body.continuationToken ?? "");
    } while (next);
    expect(sizes).toEqual(Array(10).fill(1000));
    expect(seen.size).toBe(10_000);
    const small = await send("GET", `/api/devices?environmentId=${id}&pageSize=3`);
    expect(small.body.items).toHaveLength(3);
  });
});
