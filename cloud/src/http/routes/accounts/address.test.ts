/** What an account can make before its address is verified, and what verifying the address leaves of what was made before. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import { emailTo } from "../../../mail/emails.fixture.ts";
import { pairingHub } from "../../../pairing/hub.fixture.ts";

let strict: TestCloud;
let lenient: TestCloud;
beforeAll(async () => {
  strict = await TestCloud.start({ verifyAddresses: "on" });
  lenient = await TestCloud.start();
});
afterAll(() => Promise.all([strict[Symbol.asyncDispose](), lenient[Symbol.asyncDispose]()]));

const codeOf = async (cloud: TestCloud, { email }: Home) => (await emailTo(cloud.folder, email)).code ?? "";
const verify = async (cloud: TestCloud, home: Home, token?: string) =>
  cloud.call("POST", "/api/accounts/verify", { token, body: { code: await codeOf(cloud, home) } });
const webhook = { url: "https://receiver.example/", disabled: true };
const sink = { url: "https://metrics.example/write", enabled: false };

/** Everything that the rule is about, as an account does it. */
async function grants(cloud: TestCloud, { token, userId, ecosystemId, environmentId }: Home) {
  const call = (method: "POST" | "PUT", path: string, body?: object) => () =>
    cloud.call(method, path, { token, ...(body && { body }) });
  const client = await cloud.good("POST", "/api/clients", { token, body: { environmentId } });
  const { userCode } = await cloud.good("POST", "/api/pairings", { body: pairingHub(7).asks });
  const logIn = await cloud.good("POST", "/api/accounts/login/code");
  return {
    "POST /api/servers": call("POST", "/api/servers", {}),
    "POST /api/servers/:id/tokens": call("POST", "/api/servers/srv_01h455vb4pex5vsknk084sn02q/tokens"),
    "POST /api/users/:id/tokens": call("POST", `/api/users/${userId}/tokens`, { expiresInSeconds: 31_536_000 }),
    "POST /api/clients/:id/tokens": call("POST", `/api/clients/${client.id}/tokens`),
    "POST /api/pairings/:userCode/approve": call("POST", `/api/pairings/${userCode}/approve`, { environmentId }),
    "POST /api/accounts/login/code/:userCode/approve": call(
      "POST",
      `/api/accounts/login/code/${logIn.userCode}/approve`,
    ),
    "POST /api/webhooks": call("POST", "/api/webhooks", webhook),
    "PUT /api/ecosystems/:id/sink": call("PUT", `/api/ecosystems/${ecosystemId}/sink`, sink),
  };
}

/** One of each kind, with tokens that work. */
async function furnished(cloud: TestCloud, home: Home) {
  const { token, environmentId, ecosystemId } = home;
  const server = await cloud.serverToken(home);
  const user = await cloud.userToken(home);
  const client = await cloud.good("POST", "/api/clients", { token, body: { environmentId } });
  const hub = (await cloud.good("POST", `/api/clients/${client.id}/tokens`, { token })).token;
  const { id } = await cloud.good("POST", "/api/webhooks", { token, body: webhook });
  await cloud.good("PUT", `/api/ecosystems/${ecosystemId}/sink`, { token, body: sink });
  return { server, user, hub, webhook: id as string, client: client.id as string };
}

/** What of it still is there, as a new log-in of the account finds it. */
async function leftOf(cloud: TestCloud, home: Home, made: Awaited<ReturnType<typeof furnished>>) {
  const { token } = await cloud.good("POST", "/api/accounts/login", {
    body: { email: home.email, password: home.password },
  });
  const works = async (credential: string) =>
    (await cloud.call("GET", "/api/token", { token: credential })).status !== 401;
  const count = async (path: string) => (await cloud.good("GET", path, { token })).items.length;
  return {
    server: await works(made.server),
    user: await works(made.user),
    hub: await works(made.hub),
    servers: await count("/api/servers"),
    webhooks: await count("/api/webhooks"),
    sink: (await cloud.call("GET", `/api/ecosystems/${home.ecosystemId}/sink`, { token })).status === 200,
    clients: await count("/api/clients"),
    grants: await count("/api/account/grants"),
  };
}
const ALL = { server: true, user: true, hub: true, servers: 1, webhooks: 1, sink: true, clients: 1, grants: 5 };
const NOTHING = {
  ...{ server: false, user: false, hub: false, servers: 0, webhooks: 0, sink: false },
  ...{ clients: 1, grants: 0 },
};

describe("an account whose address is not verified", () => {
  it("reads everything, and makes homes, zones and virtual devices", async () => {
    const home = await strict.home();
    const { token, ecosystemId } = home;
    const reads = strict.app.routes.filter(
      ({ method, path, tokens }) => method === "GET" && tokens?.includes("account") && !path.includes(":"),
    );
    expect(reads.length).toBeGreaterThan(15);
    for (const { path } of reads) {
      const { body } = await strict.call("GET", path, { token });
      expect([path, body.title]).not.toEqual([path, "Address Not Verified"]);
    }
    const { id: environmentId } = await strict.good("POST", "/api/environments", { token, body: { ecosystemId } });
    await strict.good("POST", "/api/zones", { token, body: { environmentId } });
    const services = [{ service: "Switch" }];
    await strict.good("POST", "/api/devices", { token, body: { environmentId, services } });
  });

  it("makes nothing that grants access, until the code of the e-mail is entered", async () => {
    const home = await strict.home();
    for (const [route, make] of Object.entries(await grants(strict, home))) {
      const { status, body } = await make();
      expect([route, status, body.title]).toEqual([route, 403, "Address Not Verified"]);
    }
    expect((await verify(strict, home, home.token)).status).toBe(200);
    for (const [route, make] of Object.entries(await grants(strict, home))) {
      const { status, body } = await make();
      // There is no such server.
      const isGood = route === "POST /api/servers/:id/tokens" ? body.title === "Server Invalid" : status < 300;
      expect([route, isGood, body.title]).toEqual([route, true, body.title]);
    }
  });

  it("is asked by every route that makes what grants access", async () => {
    const asking = strict.app.routes.filter(({ needsVerifiedAddress }) => needsVerifiedAddress);
    const declared = asking.map(({ method, path }) => `${method} ${path}`);
    expect(declared.sort()).toEqual(Object.keys(await grants(strict, await strict.home())).sort());
  });

  it("is so again with a new address, while its servers go on working", async () => {
    const home = await strict.home();
    const { token, password: currentPassword } = home;
    await verify(strict, home, token);
    const server = await strict.serverToken(home);
    const change = { email: `moved-${home.email}`, currentPassword };
    await strict.good("PUT", "/api/account", { token, body: change });
    expect((await strict.call("POST", "/api/servers", { token, body: {} })).body.title).toBe("Address Not Verified");
    await strict.good("POST", "/api/webhooks", { token: server, body: webhook });
  });

  it("makes what it likes where the service cannot send the code", async () => {
    await furnished(lenient, await lenient.home());
  });
});

describe("a code that verifies the address for the first time", () => {
  it("leaves everything when it is entered in a session of the account", async () => {
    const home = await lenient.home();
    const made = await furnished(lenient, home);
    expect((await verify(lenient, home, home.token)).status).toBe(200);
    expect(await leftOf(lenient, home, made)).toEqual(ALL);
  });

  it("ends everything that grants access when it comes without a session, but for the log-ins with the password", async () => {
    const home = await lenient.home();
    const made = await furnished(lenient, home);
    const waiting = await approvedLogIn(lenient, home);
    expect((await verify(lenient, home)).status).toBe(200);
    expect(await leftOf(lenient, home, made)).toEqual(NOTHING);
    expect((await waiting()).body.title).toBe("Login Denied");
    await lenient.good("GET", "/api/account", { token: home.token });
  });

  it.each(["another account's", "a server's", "no"] as const)(
    "is refused with %s token, and stays good",
    async (whose) => {
      const home = await lenient.home();
      const made = await furnished(lenient, home);
      const token = { "another account's": (await lenient.home()).token, "a server's": made.server, no: "nonsense" }[
        whose
      ];
      expect((await verify(lenient, home, token)).body).toMatchObject({ status: 400, title: "Reset Code Invalid" });
      expect((await verify(lenient, home, home.token)).status).toBe(200);
      expect(await leftOf(lenient, home, made)).toEqual(ALL);
    },
  );
});

it("a reset that verifies the address ends everything that was made before", async () => {
  const home = await lenient.home();
  const made = await furnished(lenient, home);
  const second = await lenient.good("POST", "/api/ecosystems", { token: home.token, body: {} });
  await lenient.good("POST", "/api/servers", { token: home.token, body: { ecosystemId: second.id } });
  await lenient.good("POST", "/api/accounts/password-reset", { body: { email: home.email } });
  const { code } = await emailTo(lenient.folder, home.email, 2);
  const body = { code, password: home.password };
  const answer = await lenient.good("POST", "/api/accounts/password-reset/confirm", { body });
  expect(answer).toMatchObject({ addressVerified: true, left: [], leftCount: 0 });
  expect(answer.ended).toEqual({
    ...{ sessions: 1, servers: 2, serverTokens: 2, userTokens: 1, clientTokens: 1 },
    ...{ webhooks: 1, sinks: 1, pendingCodes: 0 },
  });
  expect(await leftOf(lenient, home, made)).toEqual(NOTHING);
});

/** A log-in by code that the account has approved; gives its next poll. */
async function approvedLogIn(cloud: TestCloud, { token }: Home) {
  const { userCode, deviceCode } = await cloud.good("POST", "/api/accounts/login/code");
  await cloud.good("POST", `/api/accounts/login/code/${userCode}/approve`, { token });
  return () => cloud.call("POST", "/api/accounts/login/code/poll", { body: { deviceCode } });
}
