/** Environments, users, servers and clients: what they have in common as objects with alias, metadata, version and end. */
import { client, environment, server, user } from "@porchlight/shared/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";

let cloud: TestCloud;
let home: Home;
let token: string;
beforeAll(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
  token = home.token;
});
afterAll(() => cloud[Symbol.asyncDispose]());

let count = 0;
const KINDS = [
  { path: "/api/environments", word: "Environment", schema: environment, body: () => ({}), deletes: false },
  { path: "/api/users", word: "User", schema: user, body: () => ({ key: `key ${++count}` }), deletes: true },
  { path: "/api/servers", word: "Server", schema: server, body: () => ({}), deletes: true },
  {
    path: "/api/clients",
    word: "Client",
    schema: client,
    body: () => ({ environmentId: home.environmentId }),
    deletes: true,
  },
];

describe.each(KINDS)("$path", ({ path, word, schema, body, deletes }) => {
  const make = (more: object = {}) => cloud.call("POST", path, { token, body: { ...body(), ...more } });

  it("creates one, and shows it at its `location`", async () => {
    const alias = `the ${word}`;
    const { status, headers, body: made } = await make({ alias, meta: { a: [1], "$.b": null } });
    expect(status).toBe(201);
    expect(schema.strict().parse(made)).toMatchObject({
      alias,
      meta: { a: [1], "$.b": null },
      ecosystemId: home.ecosystemId,
    });
    expect(headers.location).toBe(`${path}/${made.id}`);
    const shown = await cloud.call("GET", String(headers.location), { token });
    expect(shown.body).toEqual(made);
    expect(shown.headers.etag).toBe(headers.etag);
    const { items } = await cloud.good("GET", path, { token });
    expect(items.find(({ id }: { id: string }) => id === made.id)).toEqual(made);
  });

  it("leaves absent what is absent, and always has meta", async () => {
    const { body: made } = await make();
    expect(made.meta).toEqual({});
    expect(made).not.toHaveProperty("alias");
    expect((await make({ alias: null })).body).not.toHaveProperty("alias");
  });

  it("changes what a PUT contains, answers without a body, and has a new etag", async () => {
    const { body: made, headers } = await make({ meta: { keep: 1 } });
    const url = `${path}/${made.id}`;
    const first = await cloud.call("PUT", url, { token, body: { alias: `${word} 1` } });
    expect([first.status, first.text]).toEqual([200, ""]);
    expect(first.headers.etag).not.toBe(headers.etag);
    expect(await cloud.good("GET", url, { token })).toMatchObject({ alias: `${word} 1`, meta: { keep: 1 } });
    await cloud.good("PUT", url, { token, body: { meta: { other: 2 } } });
    expect(await cloud.good("GET", url, { token })).toMatchObject({ alias: `${word} 1`, meta: { other: 2 } });
    await cloud.good("PUT", url, { token, body: { alias: null } });
    expect(await cloud.good("GET", url, { token })).not.toHaveProperty("alias");
    const before = await cloud.call("GET", url, { token });
    const same = await cloud.call("PUT", url, { token, body: { alias: null, meta: { other: 2 } } });
    expect(same.headers.etag).toBe(before.headers.etag);
  });

  it("takes back what was read, and refuses to change what cannot be changed", async () => {
    const { body: made } = await make();
    const url = `${path}/${made.id}`;
    expect((await cloud.call("PUT", url, { token, body: { ...made, alias: `${word} back` } })).status).toBe(200);
    for (const [field, value] of Object.entries({
      id: "x",
      ecosystemId: "x",
      createdAt: "x",
      connection: 1,
      colour: 1,
    })) {
      const { status, body: answer } = await cloud.call("PUT", url, { token, body: { [field]: value } });
      if (field === "connection" && word === "Client") expect(status).toBe(200);
      else
        expect([status, answer.title, answer.errors[0].pointer]).toEqual([400, "Body Parameters Invalid", `/${field}`]);
    }
  });

  it("refuses what is no alias, and one that another object has", async () => {
    const alias = `taken by a ${word}`;
    const { body: made } = await make({ alias });
    for (const wrong of [5, "", "a;b", " a", made.id, "x".repeat(129)])
      expect((await make({ alias: wrong })).body).toMatchObject({ status: 400, title: "Alias Invalid" });
    expect((await make({ alias })).body).toMatchObject({ status: 400, title: "Alias Exists" });
    const other = await cloud.good("POST", "/api/environments", { token, body: {} });
    const url = `/api/environments/${other.id}`;
    expect((await cloud.call("PUT", url, { token, body: { alias } })).body.title).toBe("Alias Exists");
    expect((await cloud.call("PUT", `${path}/${made.id}`, { token, body: { alias } })).status).toBe(200);
    const stranger = await cloud.home();
    expect((await cloud.call("POST", "/api/environments", { token: stranger.token, body: { alias } })).status).toBe(
      201,
    );
  });

  it("takes null for no meta, as it does for an alias", async () => {
    const made = await make({ meta: null, alias: null });
    expect([made.status, made.body.meta, made.body.alias]).toEqual([201, {}, undefined]);
    const url = `${path}/${made.body.id}`;
    await cloud.good("PUT", url, { token, body: { meta: { a: 1 } } });
    await cloud.good("PUT", url, { token, body: { meta: null } });
    expect((await cloud.good("GET", url, { token })).meta).toEqual({});
  });

  it("refuses what is no meta, under any prefix", async () => {
    for (const meta of [5, [], "x", { "$.": 1 }])
      expect((await make({ meta })).body).toMatchObject({ status: 400, title: "Metadata Format Invalid" });
    const headers = { "x-system-metadata-prefix": "sys:" };
    const send = { ...body(), meta: { "sys:a": 1, "$.b": 2 } };
    const { body: made } = await cloud.call("POST", path, { token, headers, body: send });
    expect(made.meta).toEqual({ "sys:a": 1, "$.b": 2 });
    expect((await cloud.good("GET", `${path}/${made.id}`, { token })).meta).toEqual({ "$.a": 1 });
    for (const prefix of ["'", "x".repeat(17)]) {
      const wrong = { token, headers: { "x-system-metadata-prefix": prefix } };
      for (const url of [path, `${path}/${made.id}`])
        expect((await cloud.call("GET", url, wrong)).body.title).toBe("Metadata Prefix Invalid");
    }
  });

  it("changes nothing for who has read an older version, and sends nothing to who has this one", async () => {
    const { body: made, headers } = await make();
    const url = `${path}/${made.id}`;
    const old = String(headers.etag);
    const put = (match: string, alias: string) =>
      cloud.call("PUT", url, { token, headers: { "if-match": match }, body: { alias } });
    expect((await put(`"x", ${old}`, `${word} A`)).status).toBe(200);
    expect((await put(old, `${word} B`)).body).toMatchObject({ status: 412, title: "Precondition Failed" });
    expect((await put(`W/${old}`, `${word} B`)).status).toBe(412);
    expect((await put("*", `${word} C`)).status).toBe(200);
    const now = String((await cloud.call("GET", url, { token })).headers.etag);
    const unchanged = await cloud.call("GET", url, { token, headers: { "if-none-match": `W/${now}` } });
    expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, "", now]);
    expect((await cloud.call("GET", url, { token, headers: { "if-none-match": old } })).status).toBe(200);
    if (deletes) {
      expect((await cloud.call("DELETE", url, { token, headers: { "if-match": old } })).status).toBe(412);
      expect((await cloud.call("DELETE", url, { token, headers: { "if-match": now } })).status).toBe(200);
    }
  });
});

describe.each(KINDS.filter(({ deletes }) => deletes))("$path", ({ path, word, body }) => {
  it("goes once, leaves a tombstone, and its alias is free", async () => {
    const make = () => cloud.call("POST", path, { token, body: { ...body(), alias: `a ${word} to go` } });
    const { body: made } = await make();
    const url = `${path}/${made.id}`;
    const gone = await cloud.call("DELETE", url, { token });
    expect([gone.status, gone.text]).toEqual([200, ""]);
    for (const method of ["GET", "PUT", "DELETE"] as const) {
      const answer = await cloud.call(method, url, { token, ...(method === "PUT" && { body: {} }) });
      expect(answer.body).toMatchObject({ status: 404, title: `${word} Not Found` });
    }
    expect((await cloud.good("GET", path, { token })).items.map(({ id }: { id: string }) => id)).not.toContain(made.id);
    expect((await make()).status).toBe(201);
  });
});

describe("a user", () => {
  const post = (body: object, as = token) => cloud.call("POST", "/api/users", { token: as, body });

  it("has a key of the operator's own, unique in its ecosystem, which does not change", async () => {
    for (const body of [{}, { key: "" }, { key: null }])
      expect((await post(body)).body).toMatchObject({ status: 400, title: "User Key Missing" });
    for (const key of [5, "x".repeat(256), "a\0b", "\ud800"])
      expect((await post({ key })).body).toMatchObject({ status: 400, title: "Body Parameters Invalid" });
    const { body } = await post({ key: "unique" });
    expect((await post({ key: "unique" })).body).toMatchObject({ status: 400, title: "User Key Exists" });
    expect((await post({ key: "unique" }, (await cloud.home()).token)).status).toBe(201);
    const url = `/api/users/${body.id}`;
    expect((await cloud.call("PUT", url, { token, body: { key: "other" } })).body.title).toBe(
      "Body Parameters Invalid",
    );
    await cloud.good("DELETE", url, { token });
    expect((await post({ key: "unique" })).status).toBe(201);
  });

  it("that is the account's own stays as long as the account", async () => {
    const { body } = await cloud.call("DELETE", `/api/users/${home.userId}`, { token });
    expect(body).toMatchObject({ status: 400, title: "Account User Required" });
  });

  it("gets an environment, twice the same entry, and loses it", async () => {
    const { body: made } = await post({ key: "guest" });
    const path = `/api/users/${made.id}/access`;
    const theirs = await cloud.userToken(home, made.id);
    const look = () => cloud.call("GET", `/api/environments/${home.environmentId}`, { token: theirs });
    expect((await look()).body).toMatchObject({ status: 403, title: "Access Denied" });
    expect((await cloud.good("GET", "/api/environments", { token: theirs })).items).toEqual([]);
    expect((await cloud.call("POST", path, { token, body: {} })).body.title).toBe("Environment Missing");
    const body = { environmentId: home.environmentId };
    const [entry, again] = [
      await cloud.call("POST", path, { token, body }),
      await cloud.call("POST", path, { token, body }),
    ];
    expect([entry.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(entry.body);
    expect(entry.headers.location).toBe(`${path}/${entry.body.id}`);
    expect((await look()).status).toBe(200);
    expect((await cloud.good("GET", "/api/environments", { token: theirs })).items).toHaveLength(1);
    expect((await cloud.good("GET", path, { token })).items).toEqual([entry.body]);
    await cloud.good("DELETE", `${path}/${entry.body.id}`, { token });
    expect((await look()).body.title).toBe("Access Denied");
    const url = `${path}/${entry.body.id}`;
    expect((await cloud.call("DELETE", url, { token })).body.title).toBe("Access Entry Not Found");
    expect((await cloud.call("DELETE", `${path}/nonsense`, { token })).body.title).toBe("Access Entry Invalid");
    expect((await cloud.call("POST", path, { token, body })).body.id).not.toBe(entry.body.id);
  });

  it("may change its environment but neither make one nor see users and servers", async () => {
    const theirs = await cloud.userToken(home);
    const url = `/api/environments/${home.environmentId}`;
    expect((await cloud.call("PUT", url, { token: theirs, body: { meta: { by: "user" } } })).status).toBe(200);
    for (const path of ["/api/environments", "/api/users", "/api/servers"]) {
      const { body } = await cloud.call("POST", path, { token: theirs, body: {} });
      expect(body).toMatchObject({ status: 403, title: "Token Type Not Allowed" });
    }
    expect((await cloud.good("GET", "/api/ecosystems", { token: theirs })).items).toMatchObject([
      { id: home.ecosystemId },
    ]);
  });
});

describe("a client", () => {
  it("needs an environment", async () => {
    const post = (body: object) => cloud.call("POST", "/api/clients", { token, body });
    for (const body of [{}, { environmentId: null }, { environmentId: "" }])
      expect((await post(body)).body).toMatchObject({ status: 400, title: "Environment Missing" });
    for (const environmentId of [5, "nonsense", home.ecosystemId])
      expect((await post({ environmentId })).body).toMatchObject({ status: 400, title: "Environment Invalid" });
  });

  it("that was never connected is offline since it was made", async () => {
    const body = { environmentId: home.environmentId };
    const { connection, createdAt } = await cloud.good("POST", "/api/clients", { token, body });
    expect(connection).toEqual({ state: "offline", since: createdAt });
  });

  it("is listed to a user only in the environments that it has", async () => {
    const { id: environmentId } = await cloud.good("POST", "/api/environments", { token, body: {} });
    const other = await cloud.good("POST", "/api/clients", { token, body: { environmentId } });
    const theirs = await cloud.userToken(home);
    const ids = async (url: string, as: string) =>
      (await cloud.good("GET", url, { token: as })).items.map(({ id }: { id: string }) => id);
    expect(await ids("/api/clients", theirs)).not.toContain(other.id);
    expect(await ids("/api/clients", token)).toContain(other.id);
    expect(await ids(`/api/clients?environmentId=${environmentId}`, token)).toEqual([other.id]);
    const { body } = await cloud.call("GET", `/api/clients?environmentId=${environmentId}`, { token: theirs });
    expect(body.title).toBe("Access Denied");
  });
});
