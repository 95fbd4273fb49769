/** What a person sees and ends after a reset of the password: what has access to the account, who gave it, and from where. */
import { PassThrough } from "node:stream";
import { formatTime } from "@porchlight/shared/api";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import { emailTo } from "../../../mail/emails.fixture.ts";
import { pairingHub } from "../../../pairing/hub.fixture.ts";

let cloud: TestCloud;
let home: Home;
let count = 0;
beforeAll(async () => {
  cloud = await TestCloud.start({ publicUrl: "https://home.example" });
});
afterAll(() => cloud[Symbol.asyncDispose]());
beforeEach(async () => {
  home = await cloud.home();
  const { code } = await emailTo(cloud.folder, home.email);
  await cloud.good("POST", "/api/accounts/verify", { token: home.token, body: { code } });
});

const post = (path: string, body?: object, token = home.token) =>
  cloud.good("POST", path, { token, ...(body && { body }) });
const logIn = () => cloud.good("POST", "/api/accounts/login", { body: { email: home.email, password: home.password } });
const list = async (query = "", token = home.token) =>
  (await cloud.good("GET", `/api/account/grants${query}`, { token })).items;
const works = async (token: string) => (await cloud.call("GET", "/api/token", { token })).status !== 401;
const webhook = (token = home.token) =>
  post("/api/webhooks", { url: "https://receiver.example/", disabled: true }, token);
/** @param letter number of the e-mail with the code among those to the account */
async function reset(letter = 2) {
  await cloud.good("POST", "/api/accounts/password-reset", { body: { email: home.email } });
  const { code } = await emailTo(cloud.folder, home.email, letter);
  const body = { code, password: home.password };
  return cloud.good("POST", "/api/accounts/password-reset/confirm", { body });
}

/** Approves a hub, and gives what its next poll gets. */
async function approvedHub() {
  const hub = pairingHub(++count);
  const { userCode, deviceCode } = await cloud.good("POST", "/api/pairings", { body: hub.asks });
  await post(`/api/pairings/${userCode}/approve`, { environmentId: home.environmentId });
  return () => cloud.call("POST", "/api/pairings/poll", { body: hub.polls(deviceCode) });
}

describe("the grants of an account", () => {
  it("are its tokens, webhooks and sinks, with who made them from where, and how each is ended", async () => {
    const server = await cloud.serverToken(home);
    const poll = await approvedHub();
    const { clientId } = (await poll()).body;
    await post(`/api/users/${home.userId}/tokens`, undefined, server);
    await webhook();
    const path = `/api/ecosystems/${home.ecosystemId}/sink`;
    await cloud.good("PUT", path, { token: home.token, body: { url: "https://metrics.example/w", enabled: false } });
    const items = await list();
    const account = { type: "account", id: home.id };
    const from = { address: "127.0.0.1", madeBy: account };
    expect(items).toMatchObject([
      { type: "sink", id: home.ecosystemId, path, ...from },
      { type: "server_token", ...from },
      { type: "client_token", subjectId: clientId, environmentId: home.environmentId, ...from },
      { type: "user_token", subjectId: home.userId, madeBy: { type: "server" } },
      { type: "webhook", ...from },
    ]);
    for (const { path } of items) await cloud.good("DELETE", path, { token: home.token });
    expect(await list()).toEqual([]);
    expect(await works(server)).toBe(false);
  });

  it("are listed since a time, with webhooks and sinks that were changed since", async () => {
    const path = `/api/ecosystems/${home.ecosystemId}/sink`;
    const sink = (url: string) =>
      cloud.good("PUT", path, { token: home.token, body: { url, enabled: false, token: null } });
    await cloud.serverToken(home);
    const { id } = await webhook();
    const kept = await webhook();
    await sink("https://metrics.example/w");
    cloud.clock.jumpWall(60_000);
    const since = `?since=${encodeURIComponent(formatTime(cloud.clock.now()))}`;
    expect(await list(since)).toEqual([]);
    await cloud.good("PUT", `/api/webhooks/${id}`, { token: home.token, body: { url: "https://other.example/" } });
    await sink("https://other.example/w");
    const made = await cloud.userToken(home);
    const later = await list(since);
    expect(later).toMatchObject([
      { type: "sink", changedAt: expect.any(String) },
      { type: "user_token" },
      { type: "webhook", id, changedAt: expect.any(String) },
    ]);
    expect(later.map((grant: { id: string }) => grant.id)).not.toContain(kept.id);
    expect(await works(made)).toBe(true);
    const newest = await list("?order=newest&pageSize=1");
    expect(newest).toMatchObject([{ id: kept.id }]);
    expect((await cloud.call("GET", "/api/account/grants?since=soon", { token: home.token })).body.title).toBe(
      "Query Parameter Invalid",
    );
  });

  it("are those of all ecosystems, page by page, and of no other account", async () => {
    const { id: ecosystemId } = await post("/api/ecosystems", {});
    for (const eco of [home.ecosystemId, ecosystemId, home.ecosystemId])
      await post("/api/servers", { ecosystemId: eco });
    await cloud.serverToken(await cloud.home());
    const seen: string[] = [];
    let token = "";
    do {
      const next: { items: { id: string }[]; continuationToken?: string } = await cloud.good(
        "GET",
        `/api/account/grants?pageSize=1${token && `&continuationToken=${encodeURIComponent(token)}`}`,
        { token: home.token },
      );
      seen.push(...next.items.map(({ id }) => id));
      token = next.continuationToken ?? "";
    } while (token !== "");
    expect(seen).toEqual((await list()).map(({ id }: { id: string }) => id));
    expect(new Set(seen).size).toBe(3);
  });

  it("do not list what has ended by itself or with what it is in", async () => {
    await post(`/api/users/${home.userId}/tokens`, { expiresInSeconds: 1 });
    const { id: environmentId } = await post("/api/environments", {});
    const client = await post("/api/clients", { environmentId });
    await post(`/api/clients/${client.id}/tokens`);
    await post("/api/webhooks", { url: "https://receiver.example/", environmentId });
    cloud.clock.jumpWall(2_000);
    expect(await list()).toHaveLength(2);
    await cloud.good("DELETE", `/api/environments/${environmentId}`, { token: home.token });
    expect(await list()).toEqual([]);
  });
});

describe("a reset of the password of a verified account", () => {
  it("ends sessions, user tokens that the account made and approved codes, and leaves the rest, which it lists", async () => {
    const server = await cloud.serverToken(home);
    const own = await cloud.userToken(home);
    const { id: user } = await post("/api/users", { key: "ada" });
    const servers = (await post(`/api/users/${user}/tokens`, undefined, server)).token;
    const paired = await approvedHub();
    const { token: hub } = (await paired()).body;
    const poll = await approvedHub();
    await webhook();
    const answer = await reset(4);
    expect(answer).toMatchObject({ addressVerified: false, leftCount: 4 });
    expect(answer.ended).toEqual({
      ...{ sessions: 1, servers: 0, serverTokens: 0, userTokens: 1, clientTokens: 0 },
      ...{ webhooks: 0, sinks: 0, pendingCodes: 2 },
    });
    expect(answer.left.map(({ type }: { type: string }) => type).sort()).toEqual([
      ...["client_token", "server_token", "user_token", "webhook"],
    ]);
    expect(answer.logIns).toEqual([{ at: expect.any(String), address: "127.0.0.1" }]);
    expect(await works(own)).toBe(false);
    for (const token of [server, servers, hub]) expect(await works(token)).toBe(true);
    expect((await poll()).body.title).toBe("Pairing Denied");
    expect((await paired()).body.title).toBe("Pairing Denied");
    const { token } = await logIn();
    expect((await list("?order=newest", token)).map(({ id }: { id: string }) => id)).toEqual(
      answer.left.map(({ id }: { id: string }) => id),
    );
  });

  it("says by e-mail what was ended and what was left, without a word that the maker chose", async () => {
    await cloud.userToken(home);
    const server = await post("/api/servers", { alias: "evil" });
    await post("/api/webhooks", { url: "https://evil.example/" });
    const { left } = await reset();
    const { subject, text } = await emailTo(cloud.folder, home.email, 3);
    expect(subject).toBe("Your password was changed");
    for (const line of ["1 sessions", "1 user tokens", `server token ${server.id}`, `webhook ${left[0].id}`])
      expect(text.split("\n")).toContain(line);
    expect(text).toContain(`made ${left[0].createdAt} from 127.0.0.1`);
    expect(text).toContain("https://home.example/account/access");
    expect(text).not.toMatch(/evil|plt_/);
  });

  it("lists at most twenty in the e-mail, and says how many more there are", async () => {
    for (let each = 0; each < 22; each++) await post(`/api/servers`, {});
    expect((await reset()).leftCount).toBe(22);
    expect((await emailTo(cloud.folder, home.email, 3)).text.split("\n")).toContain("and 2 more");
  });

  it("ends what an intruder is still sending when the password is reset", async () => {
    const body = new PassThrough();
    const sent = cloud.app.fastify.inject({
      method: "POST",
      url: "/api/servers",
      headers: { authorization: `Bearer ${home.token}`, "content-type": "application/json" },
      payload: body,
    });
    body.write("{");
    await reset();
    body.end("}");
    expect((await sent).json()).toMatchObject({ status: 401, title: "Token Invalid" });
    const { token } = await logIn();
    expect(await list("", token)).toEqual([]);
  });
});
