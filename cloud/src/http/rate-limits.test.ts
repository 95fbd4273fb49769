import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../app.fixture.ts";
import { cloudSettings } from "../config/settings.ts";

let cloud: TestCloud;
let home: Home;
beforeEach(async () => {
  cloud = await TestCloud.start({ rateLimit: 2, trustedProxy: ["127.0.0.1"] });
  home = await cloud.home();
});
afterEach(() => cloud[Symbol.asyncDispose]());

const from = (address: string) => ({ "x-forwarded-for": address });
const get = (token: string | undefined, headers = {}) => cloud.call("GET", "/api/token", { token, headers });
const limitsIn = async (answer: ReturnType<typeof get>) => {
  const { status, headers, body } = await answer;
  return [status, body.title, headers.ratelimit, headers["retry-after"]];
};

describe("a token", () => {
  it("is limited by second, with twice as many at once; every answer states what is left", async () => {
    expect(await limitsIn(get(home.token))).toEqual([200, undefined, '"default";r=3;t=1', undefined]);
    expect((await get(home.token)).headers["ratelimit-policy"]).toBe('"default";q=4;w=2');
    expect(await limitsIn(get(home.token))).toEqual([200, undefined, '"default";r=1;t=2', undefined]);
    expect(await limitsIn(get(home.token))).toEqual([200, undefined, '"default";r=0;t=2', undefined]);
    expect(await limitsIn(get(home.token))).toEqual([429, "Rate Limit Exceeded", '"default";r=0;t=2', "1"]);
    await cloud.clock.advance(500);
    expect(await limitsIn(get(home.token))).toEqual([200, undefined, '"default";r=0;t=2', undefined]);
  });

  it("is counted also when its request is refused for its content, and spares every other token", async () => {
    const other = await cloud.userToken(home);
    for (let n = 0; n < 3; n++) await cloud.call("GET", "/api/users?nonsense=1", { token: home.token });
    expect((await get(home.token)).status).toBe(429);
    expect((await get(other)).status).toBe(200);
  });

  it("of a hub is counted before its kind is refused", async () => {
    const { environmentId } = home;
    const client = await cloud.good("POST", "/api/clients", { token: home.token, body: { environmentId } });
    const { token } = await cloud.good("POST", `/api/clients/${client.id}/tokens`, { token: home.token });
    for (let n = 0; n < 4; n++) expect((await get(token)).body.title).toBe("Token Type Not Allowed");
    expect((await get(token)).body.title).toBe("Rate Limit Exceeded");
  });
});

describe("an owner", () => {
  it("gains nothing by many tokens of any kind: all of them are counted together", async () => {
    await using owned = await TestCloud.start({ rateLimit: 10, ownerRateLimit: 12 });
    const mine = await owned.home();
    const other = await owned.home();
    const tokens = [mine.token, await owned.serverToken(mine), await owned.userToken(mine)];
    await owned.clock.advance(10_000);
    const ask = async (token: string) => {
      const { status, headers } = await owned.call("GET", "/api/environments", { token });
      return [status, headers.ratelimit, headers["ratelimit-policy"]];
    };
    for (const [n, token] of [...tokens, ...tokens].entries())
      for (let times = 0; times < 4; times++) {
        const left = 20 - (n < 3 ? 0 : 4) - times - 1;
        expect(await ask(token)).toEqual([200, expect.stringContaining(`"default";r=${left}`), '"default";q=20;w=2']);
      }
    for (const token of tokens) expect(await ask(token)).toEqual([429, '"owner";r=0;t=2', '"owner";q=24;w=2']);
    expect((await ask(other.token))[0]).toBe(200);
    await owned.clock.advance(1_000);
    for (let n = 0; n < 12; n++) expect((await ask(mine.token))[0]).toBe(200);
  });

  it("has four times what one token has, unless the operator sets another limit", async () => {
    await using free = await TestCloud.start({ rateLimit: 200, ownerRateLimit: "off" });
    const { token } = await free.home();
    expect((await free.call("GET", "/api/token", { token })).status).toBe(200);
    const { rateLimit, ownerRateLimit } = cloudSettings.parse({});
    expect(ownerRateLimit).toBe(4 * Number(rateLimit));
  });
});

describe("an address", () => {
  it("may be wrong with its credential twenty times a second; right ones pass all the while", async () => {
    const wrong = (address: string, token?: string) => get(token, from(address));
    for (let n = 0; n < 10; n++) {
      expect((await wrong("203.0.113.9")).body.title).toBe("Token Missing");
      expect((await wrong("203.0.113.9", "nonsense")).body.title).toBe("Token Invalid");
    }
    expect(await limitsIn(wrong("203.0.113.9"))).toEqual([429, "Rate Limit Exceeded", '"credential";r=0;t=1', "1"]);
    expect((await wrong("203.0.113.10")).status).toBe(401);
    expect((await wrong("203.0.113.9", home.token)).status).toBe(200);
  });

  it("may log in ten times a minute, rightly or not, and others are not held up by it", async () => {
    let count = 0;
    const logIn = (address: string) =>
      cloud.call("POST", "/api/accounts/login", {
        body: { email: `guess-${count++}@example.com`, password: "wrong" },
        headers: from(address),
      });
    for (let n = 0; n < 10; n++) expect((await logIn("2001:db8:0:1::1")).status).toBe(401);
    const refused = await logIn("2001:db8:0:1:ffff::2");
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "6"]);
    expect(refused.headers["ratelimit-policy"]).toBe('"log-in";q=10;w=60');
    expect((await logIn("2001:db8:0:2::1")).status).toBe(401);
    await cloud.clock.advance(6000);
    expect((await logIn("2001:db8:0:1::1")).status).toBe(401);
  });

  it("may sign up ten times a minute", async () => {
    const signUp = (n: number) =>
      cloud.call("POST", "/api/accounts", {
        body: { email: `new-${n}@example.com`, password: "correct horse battery" },
        headers: from("203.0.113.9"),
      });
    for (let n = 0; n < 10; n++) expect((await signUp(n)).status).toBe(201);
    expect((await signUp(10)).body.title).toBe("Rate Limit Exceeded");
  });
});

it("with `off` no request is counted and no limit is stated", async () => {
  await using free = await TestCloud.start({ rateLimit: "off" });
  const { token } = await free.home();
  for (let n = 0; n < 500; n++) {
    const { status, headers } = await free.call("GET", "/api/token", { token });
    expect([status, headers.ratelimit, headers["ratelimit-policy"]]).toEqual([200, undefined, undefined]);
  }
  for (let n = 0; n < 30; n++) expect((await free.call("GET", "/api/token")).status).toBe(401);
});

it("log-ins are listed with the address that the proxy states", async () => {
  const { email, password, token } = home;
  await cloud.good("POST", "/api/accounts/login", { body: { email, password }, headers: from("203.0.113.77") });
  const { items } = await cloud.good("GET", "/api/account/tokens", { token });
  expect(items.map((item: { address: string }) => item.address)).toContain("203.0.113.77");
});
