/** A log-in by code over the API: a program asks, a person who is logged in answers, and the program has one log-in, once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import { emailTo } from "../../../mail/emails.fixture.ts";

const PATH = "/api/accounts/login/code";
const PROGRAM = "porchlight/1.0.0 (desk)";

let cloud: TestCloud;
let home: Home;
beforeAll(async () => {
  cloud = await TestCloud.start();
});
afterAll(() => cloud[Symbol.asyncDispose]());
beforeEach(async () => {
  home = await cloud.home();
});

const begin = () => cloud.good("POST", PATH, { headers: { "user-agent": PROGRAM } });
const pollOnce = (deviceCode: string) => cloud.call("POST", `${PATH}/poll`, { body: { deviceCode } });
/** In time. */
async function poll(deviceCode: string) {
  await cloud.clock.advance(5_000);
  return pollOnce(deviceCode);
}
const show = (code: string, token = home.token) => cloud.call("GET", `${PATH}/${code}`, { token });
const answer = (code: string, what: "approve" | "deny", token = home.token) =>
  cloud.call("POST", `${PATH}/${code}/${what}`, { token });
const accountOf = async (token: string) => (await cloud.good("GET", "/api/token", { token })).accountId;
const title = async (answered: Promise<{ body: { title?: string } }>) => (await answered).body.title;

describe("a program that logs in by a code", () => {
  it("shows the code, is looked at and approved, and gets a log-in of the account that is listed and can be ended", async () => {
    const started = await begin();
    expect(started).toMatchObject({ expiresIn: 900, interval: 5, userCode: expect.stringMatching(/^.{4}-.{4}$/) });
    expect(started.verificationUri).toMatch(/^http:\/\/.*\/log-in-by-code$/);
    expect(started.verificationUriComplete).toBe(`${started.verificationUri}?code=${started.userCode}`);
    expect((await pollOnce(started.deviceCode)).body).toMatchObject({ title: "Login Pending", retryable: true });

    const shown = await show(started.userCode.toLowerCase().replace("-", ""));
    expect(shown.body).toEqual({
      ...{ userCode: started.userCode, userAgent: PROGRAM, address: "127.0.0.1" },
      ...{ createdAt: expect.any(String), expiresAt: expect.any(String) },
    });
    expect((await answer(started.userCode, "approve")).status).toBe(200);

    const { status, body } = await poll(started.deviceCode);
    const token = expect.stringMatching(/^plt_auth_/);
    expect([status, body]).toEqual([
      201,
      { id: expect.any(String), type: "authentication", token, accountId: await accountOf(home.token) },
    ]);
    expect((await cloud.good("GET", "/api/account", { token: body.token })).email).toBe(home.email);
    const { items } = await cloud.good("GET", "/api/account/tokens", { token: home.token });
    expect(items).toContainEqual(expect.objectContaining({ id: body.id, userAgent: PROGRAM, address: "127.0.0.1" }));
    await cloud.good("DELETE", `/api/account/tokens/${body.id}`, { token: home.token });
    expect((await cloud.call("GET", "/api/account", { token: body.token })).status).toBe(401);
  });

  it("gets its log-in once: the code is no good afterwards", async () => {
    const { userCode, deviceCode } = await begin();
    await answer(userCode, "approve");
    expect((await poll(deviceCode)).status).toBe(201);
    expect(await title(poll(deviceCode))).toBe("Login Code Invalid");
    expect(await title(show(userCode))).toBe("Login Code Invalid");
  });

  it("may poll at once when it has been approved, and gets “slow down” before", async () => {
    const { userCode, deviceCode } = await begin();
    expect(await title(pollOnce(deviceCode))).toBe("Login Pending");
    const early = await pollOnce(deviceCode);
    expect([early.body.title, early.headers["retry-after"]]).toEqual(["Login Slow Down", "10"]);
    await answer(userCode, "approve");
    expect((await pollOnce(deviceCode)).status).toBe(201);
  });

  it("reports a denial, and an expiry", async () => {
    const denied = await begin();
    expect((await answer(denied.userCode, "deny")).status).toBe(200);
    expect(await title(poll(denied.deviceCode))).toBe("Login Denied");
    const late = await begin();
    await cloud.clock.advance(900_000);
    expect(await title(show(late.userCode))).toBe("Login Expired");
    expect(await title(answer(late.userCode, "approve"))).toBe("Login Expired");
    expect(await title(pollOnce(late.deviceCode))).toBe("Login Expired");
  });

  it("is answered once, by the first user", async () => {
    const { userCode, deviceCode } = await begin();
    const other = await cloud.home();
    const answers = await Promise.all([answer(userCode, "approve"), answer(userCode, "approve", other.token)]);
    expect(answers.map(({ body, status }) => body.title ?? status).sort()).toEqual([200, "Login Code Invalid"]);
    expect(await title(answer(userCode, "deny"))).toBe("Login Code Invalid");
    const { body } = await poll(deviceCode);
    expect(body.accountId).toBe(await accountOf(answers[0]?.status === 200 ? home.token : other.token));
  });

  it("is not logged in by an approval whose own log-in has ended: a new password ends both", async () => {
    const credentials = { email: home.email, password: home.password };
    const thief = await cloud.good("POST", "/api/accounts/login", { body: { ...credentials, keepMeLoggedIn: true } });
    const { userCode, deviceCode } = await begin();
    await answer(userCode, "approve", thief.token);
    const body = { currentPassword: home.password, password: "another sentence, longer" };
    await cloud.good("PUT", "/api/account", { token: home.token, body });
    expect(await title(poll(deviceCode))).toBe("Login Denied");
  });

  it("is not logged in to an account that has been erased, and leaves nothing behind", async () => {
    const { userCode, deviceCode } = await begin();
    await answer(userCode, "approve");
    await cloud.good("DELETE", "/api/account", { token: home.token, body: { currentPassword: home.password } });
    expect(["Login Denied", "Login Code Invalid"]).toContain(await title(poll(deviceCode)));
  });
});

describe("who may answer", () => {
  it.each(["server", "user"] as const)("is no %s: the log-in would be the account's", async (kind) => {
    const token = kind === "server" ? await cloud.serverToken(home) : await cloud.userToken(home);
    const { userCode } = await begin();
    for (const reply of [await show(userCode, token), await answer(userCode, "approve", token)])
      expect(reply.body.title).toBe("Token Type Not Allowed");
  });

  it("does not find a hub's pairing, and a hub's owner does not find a log-in", async () => {
    const { userCode } = await begin();
    expect(await title(cloud.call("GET", `/api/pairings/${userCode}`, { token: home.token }))).toBe(
      "Pairing Code Invalid",
    );
  });
});

describe("what is left of it", () => {
  it("is an audit entry of the approval with the program's address, and one of the log-in", async () => {
    const { userCode, deviceCode } = await begin();
    await answer(userCode, "approve");
    const { body } = await poll(deviceCode);
    const { items } = await cloud.good("GET", "/api/audit", { token: home.token });
    expect(items).toContainEqual(
      expect.objectContaining({
        action: "login.approved",
        detail: { programAddress: "127.0.0.1", userAgent: PROGRAM },
      }),
    );
    expect(items).toContainEqual(
      expect.objectContaining({ action: "login.created", objectId: body.id, detail: { byCode: true } }),
    );
  });

  it("is an e-mail to the owner, without any code or token", async () => {
    const { code } = await emailTo(cloud.folder, home.email);
    await cloud.good("POST", "/api/accounts/verify", { body: { code } });
    const { userCode } = await begin();
    await answer(userCode, "approve");
    const letter = await emailTo(cloud.folder, home.email, 2);
    expect(letter.subject).toBe("A program was logged in to your account");
    expect(letter.text).toContain("127.0.0.1");
    expect(letter.text).not.toMatch(/plt_|[BCDFGHJKLMNPQRSTVWXZ]{4}-/);
  });

  it("is neither code in the store or the request log", async () => {
    const { userCode, deviceCode } = await begin();
    await show(userCode);
    await cloud.clock.advance(60_000);
    const rows = await cloud.rows((build) => build.selectFrom("code_log_ins").selectAll());
    const { items } = await cloud.good("GET", "/api/requests", { token: home.token });
    for (const listed of [rows, items])
      for (const secret of [userCode, deviceCode]) expect(JSON.stringify(listed)).not.toContain(secret);
  });
});
