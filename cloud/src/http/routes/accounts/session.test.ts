import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";

const SAME = { "sec-fetch-site": "same-origin" };
/** As a browser sends it: name and value alone. */
const pair = (setCookie: string | undefined) => setCookie?.split(";")[0] ?? "";

/** A cloud on which one account logs in with a cookie. @param host what the browser calls it by */
class Browser {
  readonly cloud: TestCloud;
  readonly host: string;

  constructor(cloud: TestCloud, host: string) {
    this.cloud = cloud;
    this.host = host;
  }

  logIn(home: Home, more: object = {}) {
    const body = { email: home.email, password: home.password, session: true, ...more };
    return this.cloud.call("POST", "/api/accounts/login", { body, headers: { host: this.host } });
  }

  open(cookie: string | undefined, headers: Record<string, string> = SAME) {
    const all = { host: this.host, ...(cookie !== undefined && { cookie }), ...headers };
    return this.cloud.call("POST", "/api/session/token", { headers: all });
  }

  logOut(token: string) {
    return this.cloud.call("POST", "/api/accounts/logout", { token, headers: { host: this.host } });
  }
}

let cloud: TestCloud;
let home: Home;
let browser: Browser;
beforeAll(async () => {
  cloud = await TestCloud.start({ publicUrl: "https://home.example" });
  home = await cloud.home();
  browser = new Browser(cloud, "10.0.0.7:8080");
});
afterAll(() => cloud[Symbol.asyncDispose]());

describe("a log-in by cookie", () => {
  it("has no token in the answer, and a cookie that only this host gets back, over TLS, out of reach of scripts", async () => {
    const { status, body, cookies } = await browser.logIn(home);
    expect(status).toBe(201);
    expect(body).toMatchObject({ type: "account", accountId: home.id });
    expect(body.token).toBeUndefined();
    expect(cookies[0]).toMatch(/^__Host-porchlight=plt_acc_\w{38}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  });

  it("gives tokens of 15 minutes that are this log-in", async () => {
    const login = await browser.logIn(home);
    const { status, body } = await browser.open(pair(login.cookies[0]));
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(["accountId", "expiresAt", "token"]);
    expect(body.accountId).toBe(home.id);
    expect(await cloud.good("GET", "/api/token", { token: body.token })).toMatchObject({
      id: login.body.id,
      type: "account",
      accountId: home.id,
    });
    const { items } = await cloud.good("GET", "/api/account/tokens", { token: body.token });
    expect(items.filter(({ id }: { id: string }) => id === login.body.id)).toMatchObject([{ session: true }]);
    cloud.clock.jumpWall(15 * 60_000 - 1);
    await cloud.good("GET", "/api/account", { token: body.token });
    cloud.clock.jumpWall(1);
    expect((await cloud.call("GET", "/api/account", { token: body.token })).body.title).toBe("Token Expired");
  });

  it("ends, with all its tokens and its cookie, when one of them logs out", async () => {
    const cookie = pair((await browser.logIn(home)).cookies[0]);
    const first = (await browser.open(cookie)).body.token;
    const second = (await browser.open(cookie)).body.token;
    await cloud.good("GET", "/api/account", { token: second });
    const out = await browser.logOut(first);
    expect([out.status, out.text]).toEqual([200, ""]);
    expect(out.cookies[0]).toBe("__Host-porchlight=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0");
    for (const token of [first, second])
      expect((await cloud.call("GET", "/api/account", { token })).body.title).toBe("Token Invalid");
    expect((await browser.open(cookie)).body).toMatchObject({ status: 401, title: "Token Invalid" });
  });

  it("is left alone by a log-out that has nothing to do with it", async () => {
    const { token } = (await browser.logIn(home, { session: false })).body;
    expect((await browser.logOut(token)).cookies[0]).toBeUndefined();
  });

  it("ends when it is revoked from elsewhere, and with a new password", async () => {
    const of = await cloud.home();
    const cookies = [await browser.logIn(of), await browser.logIn(of)];
    const tokens: string[] = [];
    for (const {
      cookies: [cookie],
    } of cookies)
      tokens.push((await browser.open(pair(cookie))).body.token);
    for (const token of tokens) await cloud.good("GET", "/api/account", { token });
    const path = `/api/account/tokens/${cookies[0]?.body.id}`;
    expect((await cloud.call("DELETE", path, { token: of.token })).status).toBe(200);
    expect((await cloud.call("GET", "/api/account", { token: tokens[0] })).body.title).toBe("Token Invalid");
    const body = { currentPassword: of.password, password: "another good one" };
    await cloud.good("PUT", "/api/account", { token: of.token, body });
    expect((await cloud.call("GET", "/api/account", { token: tokens[1] })).body.title).toBe("Token Invalid");
  });

  it("ends after 12 hours, and its last token not later", async () => {
    const cookie = pair((await browser.logIn(home)).cookies[0]);
    cloud.clock.jumpWall(12 * 3_600_000 - 60_000);
    const { token } = (await browser.open(cookie)).body;
    await cloud.good("GET", "/api/account", { token });
    cloud.clock.jumpWall(60_000);
    expect((await cloud.call("GET", "/api/account", { token })).body.title).toBe("Token Expired");
    expect((await browser.open(cookie)).body).toMatchObject({ status: 401, title: "Token Expired" });
  });

  it("that is kept has a cookie that outlives the browser, and is renewed with each token", async () => {
    const login = await browser.logIn(home, { keepMeLoggedIn: true });
    expect(login.body.expiresAt).toBeUndefined();
    expect(login.cookies[0]).toContain("; Max-Age=34560000");
    const opened = await browser.open(pair(login.cookies[0]));
    expect(opened.cookies).toEqual([login.cookies[0]]);
  });

  it("is not the console's at the same time", async () => {
    expect((await browser.logIn(home, { console: true })).body.title).toBe("Body Parameters Invalid");
  });
});

describe("the cookie", () => {
  it("is of use to pages of this very service only", async () => {
    const cookie = pair((await browser.logIn(home)).cookies[0]);
    const allowed = [SAME, { origin: "https://home.example" }];
    const refused = [
      {},
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { origin: "https://evil.example" },
      { origin: "http://home.example" },
      { origin: "null" },
    ];
    for (const headers of allowed) expect((await browser.open(cookie, headers)).status).toBe(201);
    for (const headers of refused)
      expect((await browser.open(cookie, headers)).body).toMatchObject({ status: 403, title: "Access Denied" });
  });

  it("is read by no other route, and is needed at its own", async () => {
    const cookie = pair((await browser.logIn(home)).cookies[0]);
    const other = await cloud.call("GET", "/api/account", { headers: { cookie, ...SAME } });
    expect(other.body.title).toBe("Token Missing");
    expect((await browser.open(undefined)).body).toMatchObject({ status: 401, title: "Token Missing" });
    for (const wrong of ["__Host-porchlight=x", `${cookie}; ${cookie}`, cookie.replace("__Host-", "")]) {
      const { body } = await browser.open(wrong);
      expect([401, body.title]).toEqual([body.status, wrong.startsWith("porch") ? "Token Missing" : "Token Invalid"]);
    }
  });

  it("cannot be made of a token that a page holds", async () => {
    const cookie = pair((await browser.logIn(home)).cookies[0]);
    const { token } = (await browser.open(cookie)).body;
    expect((await browser.open(`__Host-porchlight=${token}`)).body.title).toBe("Token Invalid");
  });

  it.each(["127.0.0.1:8080", "localhost:8080", "[::1]:8080"])(
    "goes without TLS to a browser on the same machine: %s",
    async (host) => {
      await using local = await TestCloud.start();
      const near = new Browser(local, host);
      const login = await near.logIn(await local.home());
      const cookie = login.cookies[0];
      expect(cookie).toMatch(/^porchlight=plt_acc_\w{38}; Path=\/; HttpOnly; SameSite=Strict$/);
      expect((await near.open(pair(cookie), { origin: `http://${host}` })).status).toBe(201);
      expect((await near.open(pair(cookie), { origin: "http://localhost:1" })).status).toBe(403);
    },
  );
});
