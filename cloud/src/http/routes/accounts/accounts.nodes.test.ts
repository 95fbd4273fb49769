/** One account, asked about on two nodes at the same moment: each answer is one that a single node could have given. */
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import { type FreshLocation, freshLocation } from "../../../store/fresh-store.fixture.ts";
import { Holding } from "../../../store/two-nodes.fixture.ts";

const NEW_PASSWORD = "a horse of another colour";
let fresh: FreshLocation;
let one: TestCloud;
let other: TestCloud;
let home: Home;
beforeEach(async () => {
  fresh = await freshLocation(true);
  one = await TestCloud.start({ maxEcosystemsPerAccount: 3 }, fresh);
  other = await one.restart({ maxEcosystemsPerAccount: 3 });
  home = await one.home();
});
afterEach(async () => {
  await other.app[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
});

/** Every statement that wants the account's row waits for it. */
const heldAccount = () => Holding.of(fresh.location, "select 1 from accounts for update");
const titles = async (...calls: ReturnType<TestCloud["call"]>[]) =>
  (await Promise.all(calls)).map(({ status, body }) => body.title ?? status).sort();

async function code(text: string, purpose: string): Promise<string> {
  const hash = createHash("sha256").update(text).digest("hex");
  const times = { created_at: one.clock.now(), expires_at: one.clock.now() + 60_000 };
  await one.change((build) =>
    build.insertInto("account_codes").values({ hash, account_id: home.id, purpose, ...times }),
  );
  return text;
}

describe("an address that two sign up with", () => {
  it("is the first one's, and exists for the other", async () => {
    for (let n = 0; n < 5; n++) {
      const body = { email: `both-${n}@example.com`, password: "correct horse battery" };
      const signUps = [one.call("POST", "/api/accounts", { body }), other.call("POST", "/api/accounts", { body })];
      expect(await titles(...signUps)).toEqual([201, "Email Exists"]);
    }
  });

  it("or that one account changes to meanwhile, is one account's", async () => {
    const email = "wanted@example.com";
    const change = one.call("PUT", "/api/account", {
      token: home.token,
      body: { email, currentPassword: home.password },
    });
    const signUp = other.call("POST", "/api/accounts", { body: { email, password: "correct horse battery" } });
    const [first = { status: 0 }, second = { status: 0 }] = await Promise.all([change, signUp]);
    expect([first.status < 300, second.status < 300].sort()).toEqual([false, true]);
    const rows = await one.rows((build) => build.selectFrom("accounts").select("id").where("email", "=", email));
    expect(rows).toHaveLength(1);
  });
});

describe("two changes of an account", () => {
  it("both stand when they are of different things", async () => {
    await using holding = await heldAccount();
    const { token, password: currentPassword } = home;
    const named = one.call("PUT", "/api/account", { token, body: { name: "Ada", currentPassword } });
    await holding.waited(1);
    const body = { email: "ada@example.com", currentPassword };
    const moved = other.call("PUT", "/api/account", { token, body });
    await holding.waited(2);
    await holding.release();
    for (const { status } of await Promise.all([named, moved])) expect(status).toBe(200);
    expect(await one.good("GET", "/api/account", { token })).toMatchObject({ name: "Ada", email: "ada@example.com" });
  });

  it("of the password do not both stand", async () => {
    await using holding = await heldAccount();
    const change = (node: TestCloud, password: string) =>
      node.call("PUT", "/api/account", { token: home.token, body: { password, currentPassword: home.password } });
    const changes = [change(one, NEW_PASSWORD), change(other, `${NEW_PASSWORD}!`)];
    await holding.waited(2);
    await holding.release();
    expect(await titles(...changes)).toEqual([200, "Password Incorrect"]);
  });
});

describe("a log-in with the password of before", () => {
  it("that waits while the password is changed on another node is refused, and leaves no token", async () => {
    await using holding = await heldAccount();
    const { email, password, token } = home;
    const body = { password: NEW_PASSWORD, currentPassword: password };
    const change = one.call("PUT", "/api/account", { token, body });
    await holding.waited(1);
    const logIn = other.call("POST", "/api/accounts/login", { body: { email, password } });
    await holding.waited(2);
    await holding.release();
    expect((await change).status).toBe(200);
    expect((await logIn).body.title).toBe("Login Failed");
    expect((await one.good("GET", "/api/account/tokens", { token })).items).toHaveLength(1);
  });
});

describe("a code that went out by mail", () => {
  it("is valid once, on any node", async () => {
    const body = { code: await code("AAAAAAAAAAAAAAAA", "verify") };
    const verified = [one, other].map((node) => node.call("POST", "/api/accounts/verify", { body }));
    expect(await titles(...verified)).toEqual([200, "Reset Code Invalid"]);
  });

  it("sets one password when two requests come at once, and neither is asked to retry", async () => {
    await using holding = await heldAccount();
    const codes = [await code("AAAAAAAAAAAAAAAA", "reset"), await code("BBBBBBBBBBBBBBBB", "reset")];
    const sets = codes.map((each, at) =>
      (at === 0 ? one : other).call("POST", "/api/accounts/password-reset/confirm", {
        body: { code: each, password: NEW_PASSWORD },
      }),
    );
    await holding.waited(2);
    await holding.release();
    expect(await titles(...sets)).toEqual([200, "Reset Code Invalid"]);
  });
});

describe("an account's ecosystems", () => {
  it("are no more than its quota, when two nodes make one each at the same moment", async () => {
    await one.good("POST", "/api/ecosystems", { token: home.token, body: {} });
    await using holding = await heldAccount();
    const made = [one, other].map((node) => node.call("POST", "/api/ecosystems", { token: home.token, body: {} }));
    await holding.waited(2);
    await holding.release();
    expect(await titles(...made)).toEqual([201, "Quota Exceeded"]);
  });

  it("are never none: of the last two only one goes", async () => {
    const { id } = await one.good("POST", "/api/ecosystems", { token: home.token, body: {} });
    // Its holder is a user of both, so that either may go.
    await using holding = await heldAccount();
    const gone = [
      one.call("DELETE", `/api/ecosystems/${home.ecosystemId}`, { token: home.token }),
      other.call("DELETE", `/api/ecosystems/${id}`, { token: home.token }),
    ];
    await holding.waited(2);
    await holding.release();
    expect(await titles(...gone)).toEqual([200, "Last Ecosystem Required"]);
  });
});

describe("an erasure", () => {
  it("that is requested twice is executed, and both are answered so or with an invalid token", async () => {
    await using holding = await heldAccount();
    const erase = (node: TestCloud) =>
      node.call("DELETE", "/api/account", { token: home.token, body: { currentPassword: home.password } });
    const erased = [erase(one), erase(other)];
    await holding.waited(2);
    await holding.release();
    expect(await titles(...erased)).toEqual([200, 200]);
    expect(await one.rows((build) => build.selectFrom("ecosystems").select("id"))).toEqual([]);
  });

  it("takes an ecosystem along that another node is just making", async () => {
    await using holding = await heldAccount();
    const made = other.call("POST", "/api/ecosystems", { token: home.token, body: {} });
    await holding.waited(1);
    const body = { currentPassword: home.password };
    const erased = one.call("DELETE", "/api/account", { token: home.token, body });
    await holding.waited(2);
    await holding.release();
    expect([(await made).status, (await erased).status]).toEqual([201, 200]);
    expect(await one.rows((build) => build.selectFrom("ecosystems").select("id"))).toEqual([]);
  });

  it("lets no ecosystem be made after it", async () => {
    await using holding = await heldAccount();
    const body = { currentPassword: home.password };
    const erased = one.call("DELETE", "/api/account", { token: home.token, body });
    await holding.waited(1);
    const made = other.call("POST", "/api/ecosystems", { token: home.token, body: {} });
    await holding.waited(2);
    await holding.release();
    expect((await erased).status).toBe(200);
    expect((await made).body.title).toBe("Token Invalid");
    expect(await one.rows((build) => build.selectFrom("ecosystems").select("id"))).toEqual([]);
  });
});

describe("wrong passwords", () => {
  it("are counted over the nodes: of one network, of all together, and of a known browser", async () => {
    const limits = { rateLimit: 200, logInsPerMinute: 10, trustedProxy: ["127.0.0.1"] };
    await using here = await one.restart(limits);
    await using there = await one.restart(limits);
    const nodes = [here, there];
    const logIn = (each: number, from: string, password = "wrong", cookie = "") =>
      nodes[each % 2]?.call("POST", "/api/accounts/login", {
        body: { email: home.email, password, session: true },
        headers: { "x-forwarded-for": from, ...(cookie && { cookie }) },
      });
    const refused = async (count: number, from: (each: number) => string, cookie?: string) => {
      let titles = 0;
      for (let each = 0; each < count; each++)
        if ((await logIn(each, from(each), "wrong", cookie))?.status === 429) titles += 1;
      return titles;
    };
    const known = (await logIn(0, "198.51.100.7", home.password))?.cookies[1]?.split(";")[0];
    expect(await refused(14, () => "192.0.2.1")).toBe(4);
    expect(await refused(100, (each) => `203.0.113.${Math.floor(each / 10)}`)).toBe(11);
    expect((await logIn(1, "198.51.100.8", home.password))?.status).toBe(429);
    expect((await logIn(1, "198.51.100.8", home.password, known))?.status).toBe(201);
    expect(await refused(10, () => "198.51.100.8", known)).toBe(1);
  });
});
