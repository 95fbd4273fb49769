/** The specification's own examples, 4.1 to 4.7, in plain HTTP as they are written there, on either store. */
import { IdMaker, systemClock, systemRandom } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContractCloud, type Owner, STORES } from "./cloud.ts";

const JSON_TYPE = { "content-type": "application/json" };

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
    headers: Record<string, string> = JSON_TYPE,
    token = owner.serverToken,
  ) {
    const response = await cloud.fetch(cloud.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && headers) },
      // Bytes: for a text, fetch would set the type itself.
      ...(body !== undefined && { body: new TextEncoder().encode(JSON.stringify(body)) }),
    });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: a test states what it expects of an answer by comparing it
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : undefined) as any };
  }

  async function accountToken(): Promise<string> {
    const { email, password } = owner;
    return (await send("POST", "/api/accounts/login", { email, password })).body.token;
  }

  /** So many devices more, straight into the store. @param home their environment */
  async function addDevices(home: string, count: number): Promise<void> {
    const ids = new IdMaker(systemClock, systemRandom);
    const place = { ecosystem_id: owner.ecosystemId, environment_id: home };
    const object = { kind: "dev", alias: null, meta: "{}", version: 1, created_at: systemClock.now(), gone_at: null };
    const about = {
      type: "virtual",
      arrival: 0,
      digest: "",
      description: "[]",
      about: "{}",
      online: 1,
      online_since: 1,
    };
    const none = { edge_id: null, client_id: null, last_seen_at: null };
    for (let left = count; left > 0; left -= 1_000) {
      const devices = Array.from({ length: Math.min(left, 1_000) }, () => ({ ...place, id: ids.next("dev") }));
      await cloud.change((db) => db.insertInto("objects").values(devices.map((row) => ({ ...row, ...object }))));
      await cloud.change((db) =>
        db.insertInto("devices").values(devices.map((row) => ({ ...row, ...about, ...none }))),
      );
    }
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

  it("4.1 takes the tokens of accounts, servers and users, and no others", async () => {
    const { id } = (await send("POST", "/api/clients", { environmentId })).body;
    const ofClient = (await send("POST", `/api/clients/${id}/tokens`)).body.token;
    const answers = [];
    for (const token of [await accountToken(), owner.serverToken, owner.userToken, ofClient])
      answers.push((await send("POST", "/api/zones", { environmentId }, JSON_TYPE, token)).status);
    expect(answers).toEqual([201, 201, 201, 403]);
  });

  it("4.1 puts zones and devices into the zone, and answers without them", async () => {
    const device = await send("POST", "/api/devices", { environmentId, services: [{ service: "Contact" }] });
    const items = [zoneId, device.body.id];
    const { status, body } = await send("POST", "/api/zones", { environmentId, items });
    expect([status, "items" in body]).toEqual([201, false]);
    expect((await send("GET", `/api/zones/${body.id}`)).body.items).toEqual(items);
  });

  it("4.1 makes a zone with system metadata under a prefix of one's own", async () => {
    const headers = { ...JSON_TYPE, "x-system-metadata-prefix": "sys:" };
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

  it("2.1 reaches an object by any depth of scope, and an alias only through its parent", async () => {
    await send("PUT", `/api/environments/${environmentId}`, { alias: "home" });
    const { ecosystemId } = owner;
    const shown = async (reference: string) => {
      const { status, body } = await send("GET", `/api/devices/${reference}`);
      return status === 200 ? body.alias : `${status} ${body.title}`;
    };
    expect(await shown(`${environmentId};lamp`)).toBe("lamp");
    expect(await shown(`${environmentId}%3Blamp`)).toBe("lamp");
    expect(await shown(`${ecosystemId};home;lamp`)).toBe("lamp");
    expect(await shown(`${ecosystemId};home;kitchen;lamp`)).toBe("lamp");
    expect(await shown(`${ecosystemId};${environmentId};${zoneId};lamp`)).toBe("lamp");
    expect(await shown("lamp")).toBe("400 Device Invalid");
    expect(await shown("home;lamp")).toBe("400 Device Invalid");
    expect(await shown(`${environmentId};toaster`)).toBe("404 Device Not Found");
  });

  it("2.7 overwrites the whole of an object that is written", async () => {
    await send("PUT", `/api/zones/${zoneId}`, { meta: { floor: 1, colour: "red" } });
    expect((await send("PUT", `/api/zones/${zoneId}`, { meta: { colour: "blue" } })).body).toBeUndefined();
    expect((await send("GET", `/api/zones/${zoneId}`)).body).toMatchObject({
      alias: "kitchen",
      meta: { colour: "blue" },
    });
    expect((await send("GET", `/api/zones/${zoneId}`)).body.meta).not.toHaveProperty("floor");
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
    const asked = `/v0/api/environments/${environmentId}/services/LightColor.hue`;
    expect((await send("GET", `${asked}/?refresh=true`)).body.items).toMatchObject([{ value: 240 }]);
    for (const selector of ["No:t.a:selector", "Toaster", "LightColor.weight", "LightColor.weight?refresh=false"]) {
      const none = await send("GET", `/api/environments/${environmentId}/services/${selector}`);
      expect([none.status, none.body]).toEqual([200, { items: [] }]);
    }
  });

  it("4.2 takes the tokens of accounts, servers and users", async () => {
    for (const token of [await accountToken(), owner.serverToken, owner.userToken]) {
      const url = `/api/environments/${environmentId}/services/LightColor.hue`;
      expect((await send("GET", url, undefined, {}, token)).body.items).toHaveLength(1);
    }
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

  it("4.7 gives 10,000 devices 1000 at a time, each once, and the last page without a token", async () => {
    const { id } = (await send("POST", "/api/environments", {})).body;
    await send("POST", "/api/devices", { environmentId: id, services: [{ service: "Contact" }] });
    await addDevices(id, 9_999);
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
