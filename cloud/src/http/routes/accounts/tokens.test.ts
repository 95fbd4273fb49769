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

describe("a token", () => {
  it("is shown once, when made; a server's again, to the account", async () => {
    const server = await cloud.good("POST", "/api/servers", { token, body: {} });
    const client = await cloud.good("POST", "/api/clients", { token, body: { environmentId: home.environmentId } });
    for (const [path, type, start] of [
      [`/api/users/${home.userId}/tokens`, "user", "plt_usr_"],
      [`/api/servers/${server.id}/tokens`, "server", "plt_srv_"],
      [`/api/clients/${client.id}/tokens`, "client", "plt_cli_"],
    ] as const) {
      const made = await cloud.call("POST", path, { token });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({ type, token: expect.stringMatching(new RegExp(`^${start}`)) });
      expect(made.headers.location).toBe(`${path}/${made.body.id}`);
      const { items } = await cloud.good("GET", path, { token });
      const { token: secret, ...rest } = made.body;
      const read = { ...rest, token: secret, lastReadAt: "2026-01-01 00:00:00Z" };
      expect(items.at(-1)).toEqual(type === "server" ? read : rest);
    }
  });

  it("comes with each server", async () => {
    const server = await cloud.serverToken(home);
    expect(await cloud.good("GET", "/api/token", { token: server })).toMatchObject({
      type: "server",
      ecosystemId: home.ecosystemId,
      serverId: expect.stringMatching(/^srv_/),
    });
  });

  it("of a user ends after 30 days when an account made it, never when a server did, or when it was asked to", async () => {
    const path = `/api/users/${home.userId}/tokens`;
    const post = (as: string, body?: object) => cloud.call("POST", path, { token: as, body });
    const server = await cloud.serverToken(home);
    expect((await post(token)).body.expiresAt).toBe("2026-01-31 00:00:00Z");
    expect((await post(server)).body).not.toHaveProperty("expiresAt");
    expect((await post(server, { expiresInSeconds: 60 })).body.expiresAt).toBe("2026-01-01 00:01:00Z");
    for (const expiresInSeconds of [0, 31_536_001, 1.5, "60", null]) {
      const { body } = await post(token, { expiresInSeconds });
      expect(body).toMatchObject({ status: 400, title: "Body Parameters Invalid" });
    }
    const client = await cloud.good("POST", "/api/clients", { token, body: { environmentId: home.environmentId } });
    const { body } = await cloud.call("POST", `/api/clients/${client.id}/tokens`, {
      token,
      body: { expiresInSeconds: 60 },
    });
    expect(body.title).toBe("Body Parameters Invalid");
  });

  it("shows its own subject", async () => {
    const user = await cloud.userToken(home);
    expect(await cloud.good("GET", "/api/token", { token: user })).toEqual({
      id: expect.stringMatching(/^tok_/),
      type: "user",
      expiresAt: "2026-01-31 00:00:00Z",
      userId: home.userId,
      ecosystemId: home.ecosystemId,
    });
    expect(await cloud.good("GET", "/api/token", { token })).toMatchObject({ type: "account", accountId: home.id });
  });

  it("ends at once when it is deleted, and when what it stands for is", async () => {
    const { id } = await cloud.good("POST", "/api/users", { token, body: { key: "to go" } });
    const path = `/api/users/${id}/tokens`;
    const made = [await cloud.good("POST", path, { token }), await cloud.good("POST", path, { token })];
    const title = async (at: number) => (await cloud.call("GET", "/api/token", { token: made[at].token })).body.title;
    expect([await title(0), await title(1)]).toEqual([undefined, undefined]);
    await cloud.good("DELETE", `${path}/${made[0].id}`, { token });
    expect([await title(0), await title(1)]).toEqual(["Token Invalid", undefined]);
    expect((await cloud.good("GET", path, { token })).items).toHaveLength(1);
    await cloud.good("DELETE", `/api/users/${id}`, { token });
    expect(await title(1)).toBe("Token Invalid");
  });

  it("is deleted through its own subject only, and named as wrong with 400, not 401", async () => {
    const mine = await cloud.good("POST", `/api/users/${home.userId}/tokens`, { token });
    const stranger = await cloud.home();
    const theirs = await cloud.good("POST", `/api/users/${stranger.userId}/tokens`, { token: stranger.token });
    const other = await cloud.good("POST", "/api/users", { token, body: { key: "another" } });
    const end = async (user: string, id: string) =>
      (await cloud.call("DELETE", `/api/users/${user}/tokens/${id}`, { token })).body;
    for (const id of ["nonsense", "tok_01h455vb4pex5vsknk084sn02q", theirs.id])
      expect(await end(home.userId, id)).toMatchObject({ status: 400, title: "Token Invalid" });
    expect(await end(other.id, mine.id)).toMatchObject({ status: 404, title: "Token Not Found" });
    expect(await end(home.userId, mine.id)).toEqual({});
    expect(await end(home.userId, mine.id)).toMatchObject({ status: 404, title: "Token Not Found" });
  });

  it("of a client is good at the tunnel only", async () => {
    const client = await cloud.good("POST", "/api/clients", { token, body: { environmentId: home.environmentId } });
    const made = await cloud.good("POST", `/api/clients/${client.id}/tokens`, { token });
    const { body } = await cloud.call("GET", "/api/token", { token: made.token });
    expect(body).toMatchObject({ status: 403, title: "Token Type Not Allowed" });
    expect(await cloud.app.authenticateClient(made.token)).toMatchObject({ clientId: client.id });
    await cloud.good("DELETE", `/api/clients/${client.id}`, { token });
    await expect(cloud.app.authenticateClient(made.token)).rejects.toMatchObject({ name: "Token Invalid" });
  });

  it("of a user makes no tokens", async () => {
    const user = await cloud.userToken(home);
    const { body } = await cloud.call("POST", `/api/users/${home.userId}/tokens`, { token: user });
    expect(body).toMatchObject({ status: 403, title: "Token Type Not Allowed" });
  });
});

describe("a token", () => {
  it("of a server is in the audit when it is read, once a minute for each reader, with the time", async () => {
    const { id } = await cloud.good("POST", "/api/servers", { token, body: {} });
    const path = `/api/servers/${id}/tokens`;
    const readings = async () =>
      (await cloud.good("GET", "/api/audit?action=server.tokens_read&order=newest", { token })).items.filter(
        ({ objectId }: { objectId: string }) => objectId === id,
      );
    const made = await cloud.good("POST", path, { token });
    const [hidden] = (await cloud.good("GET", `${path}?reveal=false`, { token })).items.slice(-1);
    expect([hidden.id, hidden.token, hidden.lastReadAt]).toEqual([made.id, undefined, undefined]);
    expect(await readings()).toEqual([]);
    for (let time = 0; time < 2; time++) await cloud.good("GET", path, { token });
    expect(await readings()).toHaveLength(1);
    await cloud.clock.advance(60_000);
    const { items } = await cloud.good("GET", path, { token });
    expect(items.at(-1)).toMatchObject({ token: made.token, lastReadAt: "2026-01-01 00:01:00Z" });
    expect(await readings()).toMatchObject([{ actor: { type: "account", id: home.id } }, {}]);
    const byUser = await cloud.call("GET", path, { token: await cloud.userToken(home) });
    const byServer = await cloud.call("GET", path, { token: made.token });
    for (const { body } of [byUser, byServer]) expect(body.title).toBe("Token Type Not Allowed");
    expect((await cloud.call("GET", `${path}?reveal=maybe`, { token })).body.title).toBe("Query Parameter Invalid");
    expect(await readings()).toHaveLength(2);
  });
});
