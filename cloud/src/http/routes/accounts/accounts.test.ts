import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";

let cloud: TestCloud;
let home: Home;
beforeAll(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
});
afterAll(() => cloud[Symbol.asyncDispose]());

const signUp = (body: unknown) => cloud.call("POST", "/api/accounts", { body });
const logIn = (body: unknown) => cloud.call("POST", "/api/accounts/login", { body });

describe("signing up", () => {
  it("makes an account with one ecosystem, one environment and its holder as a user of it", async () => {
    const { status, body, headers } = await signUp({
      email: "new@example.com",
      password: "a lamp under a gable",
      name: "New",
    });
    expect(status).toBe(201);
    expect(headers.location).toBe("/api/account");
    expect(Object.keys(body).sort()).toEqual(["createdAt", "ecosystemId", "email", "environmentId", "id", "userId"]);
    expect(body.createdAt).toMatch(/^2026-01-01 00:00:00Z$/);
    const { token } = (await logIn({ email: "new@example.com", password: "a lamp under a gable" })).body;
    const account = await cloud.good("GET", "/api/account", { token });
    const { id, createdAt } = body;
    expect(account).toEqual({ id, email: "new@example.com", emailVerified: false, name: "New", createdAt });
    const user = await cloud.good("GET", `/api/users/${body.userId}`, { token });
    expect(user).toMatchObject({ key: body.id, ecosystemId: body.ecosystemId });
    const access = await cloud.good("GET", `/api/users/${body.userId}/access`, { token });
    expect(access.items).toMatchObject([{ environmentId: body.environmentId }]);
  });

  it("names the first environment Home, which its owner can change", async () => {
    const { ecosystemId, environmentId } = (
      await signUp({ email: "first@example.com", password: "a lamp under a gable" })
    ).body;
    const { token } = (await logIn({ email: "first@example.com", password: "a lamp under a gable" })).body;
    const path = `/api/environments/${environmentId}`;
    const named = { id: environmentId, ecosystemId, meta: { "$.name": "Home" } };
    expect(await cloud.good("GET", path, { token })).toEqual({ ...named, createdAt: "2026-01-01 00:00:00Z" });
    const { items } = await cloud.good("GET", "/api/event-log?types=environment.created", { token });
    expect(items).toMatchObject([{ data: named }]);
    await cloud.good("PUT", path, { token, body: { meta: { "$.name": "Cabin" } } });
    expect(await cloud.good("GET", path, { token })).toMatchObject({ meta: { "$.name": "Cabin" } });
    const second = await cloud.good("POST", "/api/environments", { token, body: { ecosystemId } });
    expect(second.meta).toEqual({});
  });

  it.each([
    [{}, "Body Parameters Missing"],
    [{ email: "", password: "a lamp under a gable" }, "Body Parameters Missing"],
    [{ email: "a@example.com" }, "Body Parameters Missing"],
    [{ email: 5, password: "a lamp under a gable" }, "Email Invalid"],
    [{ email: "nobody", password: "a lamp under a gable" }, "Email Invalid"],
    [{ email: "a b@example.com", password: "a lamp under a gable" }, "Email Invalid"],
    [{ email: "a@example.com", password: "123456789" }, "Password Too Weak"],
    [{ email: "a@example.com", password: "Password2024" }, "Password Too Weak"],
    [{ email: "a@example.com", password: "Lovelace1815", name: "Ada Lovelace" }, "Password Too Weak"],
    [{ email: "a.long@example.com", password: "A.long@example.com" }, "Password Too Weak"],
    [{ email: "a@example.com", password: 5 }, "Body Parameters Invalid"],
    [{ email: "a@example.com", password: "a lamp under a gable", name: "\0" }, "Body Parameters Invalid"],
    [{ email: "a@example.com", password: "a lamp under a gable", admin: true }, "Body Parameters Invalid"],
  ])("refuses %j as %s", async (body, title) => {
    expect((await signUp(body)).body).toMatchObject({ status: 400, title });
  });

  it("knows an address in any case, also of two who come at once", async () => {
    expect((await signUp({ email: home.email.toUpperCase(), password: "a lamp under a gable" })).body.title).toBe(
      "Email Exists",
    );
    const both = await Promise.all(
      ["Twin@example.com", "twin@example.com"].map((email) => signUp({ email, password: "a lamp under a gable" })),
    );
    expect(both.map(({ status, body }) => [status, body.title]).sort()).toEqual([
      [201, undefined],
      [400, "Email Exists"],
    ]);
  });
});

describe("logging in", () => {
  it("gives an account token for 12 hours", async () => {
    const { status, body, headers } = await logIn({ email: home.email, password: home.password });
    expect(status).toBe(201);
    expect(headers.location).toBeUndefined();
    expect(body).toMatchObject({ type: "account", accountId: home.id, expiresAt: "2026-01-01 12:00:00Z" });
    expect(body.token).toMatch(/^plt_acc_/);
  });

  it("gives one that lasts when asked to keep it, and an authentication token to the console", async () => {
    const kept = (await logIn({ email: home.email, password: home.password, keepMeLoggedIn: true })).body;
    expect([kept.type, kept.expiresAt]).toEqual(["account", undefined]);
    const shown = (await logIn({ email: home.email, password: home.password, console: true })).body;
    expect([shown.type, shown.expiresAt, shown.token.slice(0, 9)]).toEqual(["authentication", undefined, "plt_auth_"]);
    expect((await cloud.good("GET", "/api/token", { token: shown.token })).type).toBe("authentication");
  });

  it("fails alike for a wrong address and a wrong password", async () => {
    const strip = ({ status, body, headers }: Awaited<ReturnType<typeof logIn>>) => ({
      status,
      body: { ...body, instance: "" },
      challenge: headers["www-authenticate"],
    });
    const wrongMail = strip(await logIn({ email: "nobody@example.com", password: home.password }));
    const wrongPassword = strip(await logIn({ email: home.email, password: "wrong" }));
    expect(wrongMail).toEqual(wrongPassword);
    expect(wrongMail.body).toMatchObject({ title: "Login Failed", status: 401 });
  });

  it("takes the address in any case", async () => {
    expect((await logIn({ email: home.email.toUpperCase(), password: home.password })).status).toBe(201);
  });
});

describe("log-ins", () => {
  it("say when they were last of use, some seconds late", async () => {
    const { id, token } = (await logIn({ email: home.email, password: home.password })).body;
    const own = async () => {
      const { items } = await cloud.good("GET", "/api/account/tokens", { token: home.token });
      return items.find((each: { id: string }) => each.id === id);
    };
    expect((await own()).lastUsedAt).toBeUndefined();
    await cloud.good("GET", "/api/account", { token });
    for (let round = 0; round < 100 && !(await own()).lastUsedAt; round++) await cloud.clock.advance(10_000);
    expect((await own()).lastUsedAt).toBe("2026-01-01 00:00:00Z");
  });

  it("are listed, with where they came from and without their token, and can be ended", async () => {
    const headers = { "user-agent": "a test" };
    const body = { email: home.email, password: home.password };
    const other = (await cloud.call("POST", "/api/accounts/login", { body, headers })).body;
    const { items } = await cloud.good("GET", "/api/account/tokens", { token: home.token });
    const listed = items.find(({ id }: { id: string }) => id === other.id);
    expect(listed).toMatchObject({ type: "account", address: "127.0.0.1", userAgent: "a test" });
    expect(listed.token).toBeUndefined();
    expect(listed.session).toBeUndefined();

    const path = `/api/account/tokens/${other.id}`;
    expect(await cloud.call("DELETE", path, { token: home.token })).toMatchObject({ status: 200, text: "" });
    expect((await cloud.call("GET", "/api/token", { token: other.token })).body.title).toBe("Token Invalid");
    expect((await cloud.call("DELETE", path, { token: home.token })).body).toMatchObject({
      status: 404,
      title: "Token Not Found",
    });
  });

  it("of another account are none", async () => {
    const stranger = await cloud.home();
    const { items } = await cloud.good("GET", "/api/account/tokens", { token: stranger.token });
    for (const id of [items[0].id, "tok_01h455vb4pex5vsknk084sn02q", "nonsense"]) {
      const { body } = await cloud.call("DELETE", `/api/account/tokens/${id}`, { token: home.token });
      expect(body).toMatchObject({ status: 400, title: "Token Invalid" });
    }
  });

  it("end with a log-out, at once and also when the token has been used before", async () => {
    const { token } = (await logIn({ email: home.email, password: home.password })).body;
    expect((await cloud.call("GET", "/api/account", { token })).status).toBe(200);
    expect(await cloud.call("POST", "/api/accounts/logout", { token })).toMatchObject({ status: 200, text: "" });
    expect((await cloud.call("GET", "/api/account", { token })).body).toMatchObject({
      status: 401,
      title: "Token Invalid",
    });
  });

  it("end with their time", async () => {
    const { token } = (await logIn({ email: home.email, password: home.password })).body;
    cloud.clock.jumpWall(12 * 3_600_000 - 1);
    expect((await cloud.call("GET", "/api/account", { token })).status).toBe(200);
    cloud.clock.jumpWall(1);
    const { body, headers } = await cloud.call("GET", "/api/account", { token });
    expect([body.title, headers["www-authenticate"]]).toEqual(["Token Expired", "Bearer"]);
  });
});
