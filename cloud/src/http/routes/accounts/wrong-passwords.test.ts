/** A caller that guesses at a password is slowed, and its owner is not. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";

let cloud: TestCloud;
let home: Home;
beforeEach(async () => {
  const publicUrl = "https://home.example";
  cloud = await TestCloud.start({ rateLimit: 200, logInsPerMinute: 10, trustedProxy: ["127.0.0.1"], publicUrl });
  home = await cloud.home();
});
afterEach(() => cloud[Symbol.asyncDispose]());

interface Trial {
  readonly from: string;
  readonly email?: string;
  readonly password?: string;
  /** As a browser sends it. */
  readonly cookie?: string | undefined;
}

function logIn({ from, email = home.email, password = "wrong", cookie }: Trial) {
  const headers = { "x-forwarded-for": from, ...(cookie !== undefined && { cookie }) };
  const body = { email, password, session: true };
  return cloud.call("POST", "/api/accounts/login", { body, headers });
}
/** What became of so many tries at once: their titles, or 201, and how many there were of each. */
async function outcomes(count: number, trial: (each: number) => Trial): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (let each = 0; each < count; each++) {
    const { status, body } = await logIn(trial(each));
    const outcome = body.title ?? String(status);
    found[outcome] = (found[outcome] ?? 0) + 1;
  }
  return found;
}
/** The cookies of a log-in that was good. */
async function cookiesOf(of: Home, from: string, cookie?: string): Promise<string> {
  const { status, cookies } = await logIn({ from, email: of.email, password: of.password, cookie });
  expect(status).toBe(201);
  return cookies.map((each) => each.split(";")[0]).join("; ");
}
const everyNetwork = (each: number) => ({ from: `192.0.2.${Math.floor(each / 10)}` });

describe("wrong passwords from one network", () => {
  it("are ten a minute, and shut out no caller from another, for as long as they go on", async () => {
    for (let minute = 0; minute < 12; minute++) {
      await cloud.clock.advance(60_000);
      expect(await outcomes(12, () => ({ from: "192.0.2.1" }))).toEqual({
        "Login Failed": 10,
        "Rate Limit Exceeded": 2,
      });
      expect((await logIn({ from: "198.51.100.7", password: home.password })).status).toBe(201);
    }
  });

  it("are one network's from all of an IPv6 /64", async () => {
    const tried = await outcomes(12, (each) => ({ from: `2001:db8:1:2::${each}` }));
    expect(tried).toEqual({ "Login Failed": 10, "Rate Limit Exceeded": 2 });
    expect((await logIn({ from: "2001:db8:1:3::1", password: home.password })).status).toBe(201);
  });
});

describe("wrong passwords from many networks", () => {
  it("are a hundred together, whether or not anybody has the address", async () => {
    for (const email of [home.email, "nobody@example.com"]) {
      const spelt = (each: number) => (each % 2 ? email : email.toUpperCase());
      await cloud.clock.advance(600_000);
      const tried = await outcomes(120, (each) => ({ ...everyNetwork(each), email: spelt(each) }));
      expect(tried).toEqual({ "Login Failed": 100, "Rate Limit Exceeded": 20 });
    }
  });

  it("do not shut out a browser that has logged in to the account before", async () => {
    const cookie = await cookiesOf(home, "198.51.100.7");
    await outcomes(120, everyNetwork);
    const good = { from: "198.51.100.7", password: home.password };
    expect((await logIn(good)).body.title).toBe("Rate Limit Exceeded");
    expect((await logIn({ ...good, cookie })).status).toBe(201);
    expect((await logIn({ ...good, from: "203.0.113.5", cookie })).status).toBe(201);
  });

  it("do not shut out a holder of the account's token from changing it", async () => {
    await outcomes(120, everyNetwork);
    const body = { name: "Ada", currentPassword: home.password };
    expect((await cloud.call("PUT", "/api/account", { token: home.token, body })).status).toBe(200);
  });
});

describe("a browser that is known", () => {
  it("shows it by a cookie that reveals nothing, and that no script can read", async () => {
    const { cookies } = await logIn({ from: "198.51.100.7", password: home.password });
    expect(cookies[1]).toMatch(
      /^__Host-porchlight-known=[0-9a-f]{8}\.[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=34560000$/,
    );
    expect(Buffer.from(String(cookies[1]?.split(/[.;]/)[1]), "base64url").includes(home.email)).toBe(false);
    const { cookies: none } = await logIn({ from: "198.51.100.7" });
    expect(none).toEqual([]);
  });

  it("may try ten a minute as well, wherever it is", async () => {
    const cookie = await cookiesOf(home, "198.51.100.7");
    const tried = await outcomes(12, (each) => ({ from: `203.0.113.${each}`, cookie }));
    expect(tried).toEqual({ "Login Failed": 10, "Rate Limit Exceeded": 2 });
    // Another one of the same account is not its affair.
    expect(await cookiesOf(home, "198.51.100.7")).not.toBe(cookie);
  });

  it("is a stranger to every other account", async () => {
    const other = await cloud.home();
    const cookie = await cookiesOf(other, "198.51.100.7");
    await outcomes(100, everyNetwork);
    expect((await logIn({ from: "203.0.113.5", cookie })).body.title).toBe("Rate Limit Exceeded");
  });

  it("is known to all accounts of those who share it, the last five", async () => {
    const homes = [home];
    while (homes.length < 6) homes.push(await cloud.home());
    let cookie: string | undefined;
    for (const each of homes) cookie = await cookiesOf(each, "198.51.100.7", cookie);
    await cloud.clock.advance(60_000);
    for (const [at, { email, password }] of homes.entries()) {
      await cloud.clock.advance(600_000);
      await outcomes(100, (each) => ({ ...everyNetwork(each), email }));
      const { status } = await logIn({ from: `203.0.113.${at}`, email, password, cookie });
      expect(status).toBe(at === 0 ? 429 : 201);
    }
  });

  it.each(["", "x", "00000000.AAAA", "two"])("is a stranger with a cookie like %j", async (value) => {
    const good = await cookiesOf(home, "198.51.100.7");
    await outcomes(100, everyNetwork);
    const name = "__Host-porchlight-known";
    const cookie = value === "two" ? `${good}; ${name}=x` : `${name}=${value}`;
    const { body } = await logIn({ from: "203.0.113.5", password: home.password, cookie });
    expect(body.title).toBe("Rate Limit Exceeded");
  });
});
