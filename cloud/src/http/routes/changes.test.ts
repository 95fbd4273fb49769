/** What is published of a change: the event in the log, made in the same transaction, with the resource as it then is. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../app.fixture.ts";

let cloud: TestCloud;
let home: Home;
let token: string;
beforeAll(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
  token = home.token;
});
afterAll(() => cloud[Symbol.asyncDispose]());

async function events(after = 0) {
  const rows = await cloud.rows((build) =>
    build
      .selectFrom("events")
      .selectAll()
      .where("ecosystem_id", "=", home.ecosystemId)
      .where("sequence", ">", after)
      .orderBy("sequence"),
  );
  return rows.map(({ sequence, type, environment_id, data }) => ({
    sequence,
    type,
    environmentId: environment_id,
    data: JSON.parse(data),
  }));
}

describe("the log", () => {
  it("begins with the environment and the user that come with an account", async () => {
    expect(await events()).toEqual([
      {
        sequence: 1,
        type: "environment.created",
        environmentId: home.environmentId,
        data: await cloud.good("GET", `/api/environments/${home.environmentId}`, { token }),
      },
      {
        sequence: 2,
        type: "user.created",
        environmentId: null,
        data: await cloud.good("GET", `/api/users/${home.userId}`, { token }),
      },
    ]);
  });

  it("has clients, users and environments as they are created, changed and deleted, and nothing else", async () => {
    const before = (await events()).length;
    const { environmentId } = home;
    const client = await cloud.good("POST", "/api/clients", { token, body: { environmentId } });
    const url = `/api/clients/${client.id}`;
    await cloud.good("PUT", url, { token, body: { alias: "hub" } });
    const named = await cloud.good("GET", url, { token });
    await cloud.good("PUT", url, { token, body: { alias: "hub" } });
    await cloud.good("POST", `${url}/tokens`, { token });
    await cloud.good("DELETE", url, { token });
    const user = await cloud.good("POST", "/api/users", { token, body: { key: "k" } });
    await cloud.good("PUT", `/api/users/${user.id}`, { token, body: { meta: { a: 1 } } });
    await cloud.good("DELETE", `/api/users/${user.id}`, { token });
    await cloud.good("PUT", `/api/environments/${environmentId}`, { token, body: { meta: { "$.a": 1 } } });
    await cloud.call("PUT", `/api/environments/${environmentId}`, { token, body: { alias: ";" } });
    const published = await events(before);
    expect(published.map(({ type }) => type)).toEqual([
      "hub.added",
      "hub.updated",
      "hub.removed",
      "user.created",
      "user.updated",
      "user.deleted",
      "environment.updated",
    ]);
    expect(published.map(({ sequence }) => sequence)).toEqual(published.map((_, at) => before + 1 + at));
    expect(published.map(({ data }) => data.id)).toEqual([
      ...Array(3).fill(client.id),
      ...Array(3).fill(user.id),
      environmentId,
    ]);
    expect(published.slice(0, 3).map(({ environmentId: of }) => of)).toEqual(Array(3).fill(environmentId));
    expect(published.slice(0, 3).map(({ data }) => data)).toEqual([client, named, named]);
    expect(published[6]?.data.meta).toEqual({ "$.a": 1 });
  });
});

describe("a client that goes", () => {
  it("deletes the physical devices of it, and no others", async () => {
    const { environmentId, ecosystemId } = home;
    const make = (alias: string) => cloud.good("POST", "/api/clients", { token, body: { environmentId, alias } });
    const [going, staying] = [await make("going"), await make("staying")];
    const device = async (id: string, client: { id: string }, edge: string) => {
      const place = { ecosystem_id: ecosystemId, id, environment_id: environmentId };
      const object = { kind: "dev", alias: `alias of ${edge}`, meta: "{}", version: 1, created_at: 0, gone_at: null };
      await cloud.change((build) => build.insertInto("objects").values({ ...place, ...object }));
      const described = { arrival: 1, digest: "", description: "[]", about: "{}", online: 1, online_since: 0 };
      const owned = { type: "physical", edge_id: edge, client_id: client.id, last_seen_at: null };
      await cloud.change((build) => build.insertInto("devices").values({ ...place, ...owned, ...described }));
    };
    await device("dev_01h455vb4pex5vsknk084sn02q", going, "a");
    await device("dev_01h455vb4pex5vsknk084sn02r", staying, "b");
    const before = (await events()).length;
    await cloud.good("DELETE", `/api/clients/${going.id}`, { token });
    expect((await events(before)).map(({ type }) => type)).toEqual(["hub.removed"]);
    const shown = async (id: string) => (await cloud.call("GET", `/api/devices/${id}`, { token })).body;
    expect(await shown("dev_01h455vb4pex5vsknk084sn02q")).toMatchObject({ title: "Device Not Found" });
    expect(await shown("dev_01h455vb4pex5vsknk084sn02r")).toMatchObject({ alias: "alias of b" });
    const alias = { alias: "alias of a" };
    expect((await cloud.call("PUT", `/api/clients/${staying.id}`, { token, body: alias })).status).toBe(200);
  });
});
