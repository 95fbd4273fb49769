import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../app.fixture.ts";

const NEVER = {
  eco: "eco_01h455vb4pex5vsknk084sn02q",
  env: "env_01h455vb4pex5vsknk084sn02q",
  usr: "usr_01h455vb4pex5vsknk084sn02q",
  cli: "cli_01h455vb4pex5vsknk084sn02q",
  zon: "zon_01h455vb4pex5vsknk084sn02q",
};

let cloud: TestCloud;
let home: Home;
let stranger: Home;
let server: string;
let user: string;
/** A second environment, which the user has not, with a client in it. */
let closed: string;
let closedClient: string;
let goneClosedClient: string;
let client: string;
let goneClient: string;
let strangersClient: string;
/** A second ecosystem of the account. */
let second: string;

const make = (path: string, token: string, body: object = {}) => cloud.good("POST", path, { token, body });

beforeAll(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
  stranger = await cloud.home();
  server = await cloud.serverToken(home);
  user = await cloud.userToken(home);
  const { token, environmentId } = home;
  await cloud.good("PUT", `/api/environments/${environmentId}`, { token, body: { alias: "my home" } });
  await cloud.good("PUT", `/api/ecosystems/${home.ecosystemId}`, { token, body: { alias: "first" } });
  closed = (await make("/api/environments", token, { alias: "closed" })).id;
  client = (await make("/api/clients", token, { environmentId, alias: "hub" })).id;
  goneClient = (await make("/api/clients", token, { environmentId, alias: "old hub" })).id;
  closedClient = (await make("/api/clients", token, { environmentId: closed, alias: "closed hub" })).id;
  goneClosedClient = (await make("/api/clients", token, { environmentId: closed })).id;
  const theirs = { environmentId: stranger.environmentId, alias: "their hub" };
  strangersClient = (await make("/api/clients", stranger.token, theirs)).id;
  second = (await make("/api/ecosystems", token, { alias: "second" })).id;
  for (const id of [goneClient, goneClosedClient]) await cloud.good("DELETE", `/api/clients/${id}`, { token });
});
afterAll(() => cloud[Symbol.asyncDispose]());

const ask = (reference: string, token: string) =>
  cloud.call("GET", `/api/clients/${encodeURIComponent(reference)}`, { token });

describe("a reference names a client", () => {
  it("by its ID, by its alias in what contains it, and at any depth", async () => {
    for (const reference of [
      client,
      `${home.environmentId};hub`,
      `${home.environmentId};${client}`,
      `${home.ecosystemId};hub`,
      `${home.ecosystemId};my home;hub`,
      `${home.ecosystemId};${home.environmentId};${client}`,
      `${home.id};${home.ecosystemId};my home;hub`,
    ]) {
      for (let time = 0; time < 2; time++) expect((await ask(reference, home.token)).body.id, reference).toBe(client);
    }
    for (const token of [server, user]) expect((await ask(`${home.environmentId};hub`, token)).body.id).toBe(client);
    for (const token of [home.token, server, user])
      for (const reference of [`${home.id};first;my home;hub`, `${home.id};${home.ecosystemId};my home;hub`])
        for (let time = 0; time < 2; time++) expect((await ask(reference, token)).body.id, reference).toBe(client);
    expect((await cloud.call("GET", `/api/clients/${home.environmentId};hub`, { token: user })).body.id).toBe(client);
  });

  it("whose alias is spelled with other code points for the same letters", async () => {
    await cloud.good("PUT", `/api/clients/${client}`, { token: home.token, body: { alias: "K\u00fcche" } });
    expect((await ask(`${home.environmentId};Ku\u0308che`, user)).body).toMatchObject({
      id: client,
      alias: "K\u00fcche",
    });
    expect((await ask(`${home.environmentId};k\u00fcche`, user)).status).toBe(404);
    await cloud.good("PUT", `/api/clients/${client}`, { token: home.token, body: { alias: "hub" } });
  });
});

describe("which error", () => {
  type Row = [why: string, reference: () => string, by: "account" | "server" | "user", status: number, title: string];
  const all = (why: string, reference: () => string, status: number, title: string): Row[] =>
    (["account", "server", "user"] as const).map((by) => [why, reference, by, status, title]);

  it.each<Row>([
    ...all("malformed: empty part", () => `${home.environmentId};`, 400, "Client Invalid"),
    ...all("malformed: an alias with no parent", () => "hub", 400, "Client Invalid"),
    ...all("malformed: an alias first", () => `my home;${client}`, 400, "Client Invalid"),
    ...all("malformed: what no alias can be", () => `${home.environmentId};a/b`, 400, "Client Invalid"),
    ...all("malformed: a container that contains nothing", () => `${client};hub`, 400, "Client Invalid"),
    ...all("malformed: 1,025 characters", () => `${home.environmentId};${"x".repeat(1000)}`, 400, "Client Invalid"),
    ...all("another kind's prefix", () => home.environmentId, 400, "Client Invalid"),
    ...all("another kind's prefix, scoped", () => `${home.ecosystemId};${home.environmentId}`, 400, "Client Invalid"),
    ...all("never issued", () => NEVER.cli, 400, "Client Invalid"),
    ...all("never issued, scoped", () => `${home.environmentId};${NEVER.cli}`, 400, "Client Invalid"),
    ...all("its parent never issued", () => `${NEVER.env};hub`, 400, "Client Invalid"),
    ...all("its parent's parent never issued", () => `${NEVER.eco};my home;hub`, 400, "Client Invalid"),
    ...all("its parent a zone never issued", () => `${NEVER.zon};hub`, 400, "Client Invalid"),
    ...all("foreign", () => strangersClient, 400, "Client Invalid"),
    ...all(
      "foreign, scoped in what is the caller's",
      () => `${home.environmentId};${strangersClient}`,
      400,
      "Client Invalid",
    ),
    ...all("its parent foreign", () => `${stranger.environmentId};their hub`, 400, "Client Invalid"),
    ...all("its account foreign", () => `${stranger.id};${stranger.ecosystemId};their hub`, 400, "Client Invalid"),
    ...all("gone", () => goneClient, 404, "Client Not Found"),
    ...all("gone, scoped", () => `${home.environmentId};${goneClient}`, 404, "Client Not Found"),
    ...all("gone, by the alias that it had", () => `${home.environmentId};old hub`, 404, "Client Not Found"),
    ...all("no such alias in the parent", () => `${home.environmentId};nothing`, 404, "Client Not Found"),
    ...all("an alias in another environment", () => `${home.environmentId};closed hub`, 404, "Client Not Found"),
    ...all("an ID in another environment", () => `${home.environmentId};${closedClient}`, 404, "Client Not Found"),
    ...all("an alias of another kind", () => `${home.ecosystemId};my home`, 404, "Client Not Found"),
    ...all("no such alias on the way", () => `${home.ecosystemId};no home;hub`, 404, "Client Not Found"),
    ["of an environment without access", () => closedClient, "user", 403, "Access Denied"],
    ["of an environment without access, gone", () => goneClosedClient, "user", 403, "Access Denied"],
    ["of an environment without access, by alias", () => `${closed};closed hub`, "user", 403, "Access Denied"],
    ["of an environment without access, no such alias", () => `${closed};nothing`, "user", 403, "Access Denied"],
    [
      "of an environment without access, on the way",
      () => `${home.ecosystemId};closed;closed hub`,
      "user",
      403,
      "Access Denied",
    ],
    ...all(
      "an ecosystem of the account that has no such alias",
      () => `${home.id};no ecosystem;hub`,
      404,
      "Client Not Found",
    ),
    ...(["server", "user"] as const).flatMap((by): Row[] => [
      ["of another ecosystem of the account, by alias", () => `${home.id};second;hub`, by, 404, "Client Not Found"],
      ["of another ecosystem of the account, by ID", () => `${home.id};${second};hub`, by, 400, "Client Invalid"],
    ]),
    ...all("its account foreign, its ecosystem by alias", () => `${stranger.id};first;hub`, 400, "Client Invalid"),
  ])("%s: %s by %s", async (_why, reference, by, status, title) => {
    const token = { account: home.token, server, user }[by];
    for (let time = 0; time < 2; time++) expect((await ask(reference(), token)).body).toMatchObject({ status, title });
  });

  it("stays the same when a caller with access has just requested the object", async () => {
    expect((await ask(closedClient, home.token)).status).toBe(200);
    expect((await ask(closedClient, user)).body.title).toBe("Access Denied");
    expect((await ask(closedClient, stranger.token)).body.title).toBe("Client Invalid");
  });

  it("names the faulty part of a scoped reference", async () => {
    expect((await ask(`${home.ecosystemId};no home;hub`, home.token)).body.detail).toContain("`no home`");
  });

  it("is the answer of every other kind too", async () => {
    const id = (await make("/api/users", home.token, { key: "k", alias: "Kim", ecosystemId: home.ecosystemId })).id;
    const get = async (path: string) => (await cloud.call("GET", path, { token: home.token })).body.title;
    expect(await get(`/api/users/${home.ecosystemId};Kim`)).toBeUndefined();
    expect(await get(`/api/users/${home.environmentId};Kim`)).toBe("User Not Found");
    expect(await get(`/api/users/${NEVER.usr}`)).toBe("User Invalid");
    await cloud.good("DELETE", `/api/users/${id}`, { token: home.token });
    expect(await get(`/api/users/${id}`)).toBe("User Not Found");
    expect(await get(`/api/ecosystems/${stranger.ecosystemId}`)).toBe("Ecosystem Invalid");
    expect(await get(`/api/ecosystems/${home.id};${home.ecosystemId}`)).toBeUndefined();
    expect(await get(`/api/environments?ecosystemId=${NEVER.eco}`)).toBe("Ecosystem Invalid");
    expect(await get(`/api/clients?environmentId=`)).toBe("Environment Invalid");
  });
});

describe("a remembered reference", () => {
  it("ends with the object, with its alias, and with a user's access", async () => {
    const { token, environmentId } = home;
    const { id } = await make("/api/clients", token, { environmentId, alias: "short-lived" });
    const byAlias = `${environmentId};short-lived`;
    expect((await ask(byAlias, user)).status).toBe(200);
    await cloud.good("PUT", `/api/clients/${id}`, { token, body: { alias: "renamed" } });
    expect((await ask(byAlias, user)).status).toBe(404);
    expect((await ask(id, user)).status).toBe(200);
    await cloud.good("DELETE", `/api/clients/${id}`, { token });
    expect((await ask(id, user)).body.title).toBe("Client Not Found");

    const access = `/api/users/${home.userId}/access`;
    const { items } = await cloud.good("GET", access, { token });
    await cloud.good("DELETE", `${access}/${items[0].id}`, { token });
    expect((await ask(client, user)).body.title).toBe("Access Denied");
    await make(access, token, { environmentId });
    expect((await ask(client, user)).status).toBe(200);
  });
});

describe("objects of another account", () => {
  it("is answered byte for byte as what was never issued", async () => {
    const paths: [method: "GET" | "PUT" | "DELETE" | "POST", foreign: string, never: string, body?: object][] = [
      ["GET", `/api/clients/${strangersClient}`, `/api/clients/${NEVER.cli}`],
      ["PUT", `/api/clients/${strangersClient}`, `/api/clients/${NEVER.cli}`, { alias: "x" }],
      ["DELETE", `/api/clients/${strangersClient}`, `/api/clients/${NEVER.cli}`],
      ["POST", `/api/clients/${strangersClient}/tokens`, `/api/clients/${NEVER.cli}/tokens`],
      ["GET", `/api/environments/${stranger.environmentId}`, `/api/environments/${NEVER.env}`],
      ["GET", `/api/ecosystems/${stranger.ecosystemId}`, `/api/ecosystems/${NEVER.eco}`],
      ["GET", `/api/users/${stranger.userId}/access`, `/api/users/${NEVER.usr}/access`],
      ["GET", `/api/clients?environmentId=${stranger.environmentId}`, `/api/clients?environmentId=${NEVER.env}`],
    ];
    for (const token of [home.token, server]) {
      for (const [method, foreign, never, body] of paths) {
        const [one, other] = [
          await cloud.call(method, foreign, { token, body }),
          await cloud.call(method, never, { token, body }),
        ];
        const plain = (reply: typeof one) => ({
          ...reply,
          text: reply.text.replace(String(reply.headers["x-request-id"]), ""),
          body: { ...reply.body, instance: "" },
          headers: { ...reply.headers, "x-request-id": "", date: "", "content-length": "" },
        });
        expect(plain(one), foreign).toEqual(plain(other));
        expect([400, 403]).toContain(one.status);
      }
    }
  });
});
