/** Pairing over the API: a hub asks, its owner answers, and the hub has a token that opens its tunnel and nothing else. */
import { settle } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import { emailTo } from "../../../mail/emails.fixture.ts";
import { type PairingHub, pairingHub } from "../../../pairing/hub.fixture.ts";

let cloud: TestCloud;
let home: Home;
let count = 0;
beforeAll(async () => {
  cloud = await TestCloud.start();
});
afterAll(() => cloud[Symbol.asyncDispose]());
beforeEach(async () => {
  home = await cloud.home();
});

const newHub = () => pairingHub(++count);
const begin = (hub: PairingHub) => cloud.good("POST", "/api/pairings", { body: hub.asks });
const pollOnce = (hub: PairingHub, deviceCode: string) =>
  cloud.call("POST", "/api/pairings/poll", { body: hub.polls(deviceCode) });
/** In time. */
async function poll(hub: PairingHub, deviceCode: string) {
  await cloud.clock.advance(5_000);
  return pollOnce(hub, deviceCode);
}
const answer = (code: string, what: "approve" | "deny", token = home.token, body?: object) =>
  cloud.call("POST", `/api/pairings/${code}/${what}`, {
    token,
    ...(what === "approve" && { body: { environmentId: home.environmentId, ...body } }),
  });
const show = (code: string, token = home.token) => cloud.call("GET", `/api/pairings/${code}`, { token });
/** A hub that has been paired, with its token. */
async function paired(hub = newHub(), alias?: string) {
  const started = await begin(hub);
  const { body: client } = await answer(started.userCode, "approve", home.token, alias ? { alias } : {});
  const { body } = await poll(hub, started.deviceCode);
  return { hub, client, ...started, ...body };
}
const isGood = (token: string) =>
  cloud.app.authenticateClient(token).then(
    () => true,
    () => false,
  );
/** The hub says hello, as far as the store is concerned. */
const saysHello = (clientId: string) =>
  cloud.change((build) =>
    build
      .updateTable("clients")
      .set((of) => ({ epoch: of("epoch", "+", 1) }))
      .where("id", "=", clientId),
  );
const eventsOf = async (type: string) =>
  (
    await cloud.rows((build) =>
      build.selectFrom("events").selectAll().where("ecosystem_id", "=", home.ecosystemId).where("type", "=", type),
    )
  ).map(({ data }) => JSON.parse(data));

describe("a hub that is paired", () => {
  it("shows a code, is looked at and approved, and gets a token that is good at the tunnel only", async () => {
    const hub = newHub();
    const started = await begin(hub);
    expect(started).toMatchObject({ expiresIn: 900, interval: 5, userCode: expect.stringMatching(/^.{4}-.{4}$/) });
    expect(started.verificationUri).toMatch(/^http:\/\/.*\/pair$/);
    expect(started.verificationUriComplete).toBe(`${started.verificationUri}?code=${started.userCode}`);
    expect((await pollOnce(hub, started.deviceCode)).body).toMatchObject({ title: "Pairing Pending", retryable: true });

    const shown = await show(started.userCode.toLowerCase().replace("-", ""));
    expect(shown.body).toMatchObject({
      userCode: started.userCode,
      edgeId: hub.edgeId,
      agentVersion: "1.2.3",
      address: "127.0.0.1",
      fingerprint: expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/),
    });
    const approved = await answer(started.userCode, "approve", home.token, { alias: "attic" });
    expect([approved.status, approved.body]).toMatchObject([
      200,
      { environmentId: home.environmentId, alias: "attic", edgeId: hub.edgeId, meta: {} },
    ]);
    const issued = await poll(hub, started.deviceCode);
    expect([issued.status, issued.body]).toEqual([
      200,
      { clientId: approved.body.id, token: expect.stringMatching(/^plt_cli_/), environmentId: home.environmentId },
    ]);
    expect(await isGood(issued.body.token)).toBe(true);
    const elsewhere = await cloud.call("GET", "/api/token", { token: issued.body.token });
    expect(elsewhere.body.title).toBe("Token Type Not Allowed");
    expect(await eventsOf("hub.added")).toMatchObject([{ id: approved.body.id, edgeId: hub.edgeId, alias: "attic" }]);
  });

  it("gets the name that it is approved with, and keeps the name that it has when it is approved again", async () => {
    const hub = newHub();
    const nameAfter = async (name?: string) => {
      const { userCode } = await begin(hub);
      const { body } = await answer(userCode, "approve", home.token, name === undefined ? {} : { name });
      return [body.id, body.meta];
    };
    const [id] = await nameAfter();
    expect(await nameAfter(" Hall hub ")).toEqual([id, { "$.name": "Hall hub" }]);
    expect(await eventsOf("hub.updated")).toMatchObject([{ id, meta: { "$.name": "Hall hub" } }]);
    await cloud.good("PUT", `/api/clients/${id}`, {
      token: home.token,
      body: { meta: { "$.name": "Attic", floor: 2 } },
    });
    expect(await nameAfter("Hub")).toEqual([id, { "$.name": "Attic", floor: 2 }]);
    await cloud.good("PUT", `/api/clients/${id}`, { token: home.token, body: { meta: { floor: 2 } } });
    expect(await nameAfter("Hub")).toEqual([id, { "$.name": "Hub", floor: 2 }]);

    const { userCode } = await begin(newHub());
    for (const name of ["", "  ", "x".repeat(65), 7])
      expect((await answer(userCode, "approve", home.token, { name })).status).toBe(400);
    const { body } = await answer(userCode, "approve", home.token, { name: "Hub 2" });
    expect(body.meta).toEqual({ "$.name": "Hub 2" });
  });

  it.each(["server", "user"] as const)("is let in by a %s token as well", async (kind) => {
    const token = kind === "server" ? await cloud.serverToken(home) : await cloud.userToken(home);
    const { userCode } = await begin(newHub());
    expect((await show(userCode, token)).status).toBe(200);
    expect((await answer(userCode, "approve", token)).status).toBe(200);
    const other = await begin(newHub());
    expect((await answer(other.userCode, "deny", token)).status).toBe(200);
  });

  it("is reported to the account by email", async () => {
    const { code } = await emailTo(cloud.folder, home.email);
    await cloud.good("POST", "/api/accounts/verify", { body: { code } });
    const { hub, client } = await paired();
    const letter = await emailTo(cloud.folder, home.email, 2);
    expect(letter.subject).toBe("A new hub was paired");
    for (const word of [hub.edgeId, client.id, home.environmentId, "127.0.0.1"]) expect(letter.text).toContain(word);
    expect(letter.text).not.toContain("plt_");
  });

  it("gets a new token with each poll until its first hello, and the one before is no good any more", async () => {
    const { hub, deviceCode, token, clientId } = await paired();
    const again = await poll(hub, deviceCode);
    expect([again.status, again.body.clientId]).toEqual([200, clientId]);
    expect(again.body.token).not.toBe(token);
    expect([await isGood(token), await isGood(again.body.token)]).toEqual([false, true]);
    await saysHello(clientId);
    expect((await poll(hub, deviceCode)).body.title).toBe("Pairing Code Invalid");
    expect(await isGood(again.body.token)).toBe(true);
  });

  it("is the same client when it pairs again, with a new token, and the old one is good until then", async () => {
    const { hub, client, token } = await paired(newHub(), "cellar");
    await saysHello(client.id);
    const second = await begin(hub);
    const approved = await answer(second.userCode, "approve", home.token);
    expect(approved.body).toMatchObject({ id: client.id, alias: "cellar" });
    expect(await isGood(token)).toBe(true);
    const issued = await poll(hub, second.deviceCode);
    expect(issued.body.clientId).toBe(client.id);
    expect([await isGood(token), await isGood(issued.body.token)]).toEqual([false, true]);
    expect(await eventsOf("hub.added")).toHaveLength(1);
  });

  it("gets another alias when it is paired again under one", async () => {
    const { hub, client } = await paired(newHub(), "cellar");
    const { userCode } = await begin(hub);
    expect((await answer(userCode, "approve", home.token, { alias: "loft" })).body).toMatchObject({
      id: client.id,
      alias: "loft",
    });
    expect(await eventsOf("hub.updated")).toMatchObject([{ alias: "loft" }]);
  });

  it("is another client for another owner, in another environment, and after its client was deleted", async () => {
    const { hub, client } = await paired();
    const other = await cloud.home();
    const elsewhere = await begin(hub);
    const theirs = await answer(elsewhere.userCode, "approve", other.token, { environmentId: other.environmentId });
    expect(theirs.body.environmentId).toBe(other.environmentId);
    const { id: environmentId } = await cloud.good("POST", "/api/environments", { token: home.token, body: {} });
    const moved = await answer((await begin(hub)).userCode, "approve", home.token, { environmentId });
    expect(moved.body.environmentId).toBe(environmentId);
    await cloud.good("DELETE", `/api/clients/${client.id}`, { token: home.token });
    const back = await answer((await begin(hub)).userCode, "approve");
    expect(new Set([client.id, theirs.body.id, moved.body.id, back.body.id]).size).toBe(4);
  });

  it("gets no token when its client was deleted before it asked", async () => {
    const hub = newHub();
    const { userCode, deviceCode } = await begin(hub);
    const { body: client } = await answer(userCode, "approve");
    await cloud.good("DELETE", `/api/clients/${client.id}`, { token: home.token });
    expect((await poll(hub, deviceCode)).body.title).toBe("Pairing Denied");
  });

  it("has a token in no table, log entry or event", async () => {
    const { token, deviceCode, userCode } = await paired();
    const tables = ["pairings", "tokens", "audit_entries", "events", "request_log", "letters"] as const;
    for (const table of tables) {
      const rows = JSON.stringify(await cloud.rows((build) => build.selectFrom(table).selectAll()));
      for (const secret of [token, deviceCode, userCode]) expect(rows.includes(secret)).toBe(false);
    }
  });
});

describe("a poll", () => {
  it("that comes too early is answered with “slow down”, and must wait five seconds longer from then on", async () => {
    const hub = newHub();
    const { deviceCode } = await begin(hub);
    expect((await pollOnce(hub, deviceCode)).body.title).toBe("Pairing Pending");
    await cloud.clock.advance(4_000);
    const early = await pollOnce(hub, deviceCode);
    expect([early.body.title, early.headers["retry-after"]]).toEqual(["Pairing Slow Down", "6"]);
    await cloud.clock.advance(5_000);
    expect((await pollOnce(hub, deviceCode)).body.title).toBe("Pairing Slow Down");
    await cloud.clock.advance(6_000);
    expect((await pollOnce(hub, deviceCode)).body.title).toBe("Pairing Pending");
  });

  it("with another key's signature, or of an unknown code, finds no pairing, and delays no other poll", async () => {
    const hub = newHub();
    const { deviceCode } = await begin(hub);
    const wrong = [
      { deviceCode, signature: newHub().sign(deviceCode) },
      { deviceCode, signature: hub.sign(`${deviceCode} `) },
      { deviceCode, signature: "nonsense" },
      hub.polls("nonsense"),
    ];
    for (const body of wrong) {
      const reply = await cloud.call("POST", "/api/pairings/poll", { body });
      expect([reply.status, reply.body.title]).toEqual([400, "Pairing Code Invalid"]);
    }
    expect((await pollOnce(hub, deviceCode)).body.title).toBe("Pairing Pending");
  });

  it("reports a denial, and the expiry", async () => {
    const [hub, late] = [newHub(), newHub()];
    const denied = await begin(hub);
    const expired = await begin(late);
    expect((await answer(denied.userCode, "deny")).status).toBe(200);
    expect((await poll(hub, denied.deviceCode)).body.title).toBe("Pairing Denied");
    await cloud.clock.advance(889_000);
    expect((await poll(late, expired.deviceCode)).body.title).toBe("Pairing Pending");
    await cloud.clock.advance(1_000);
    expect((await pollOnce(late, expired.deviceCode)).body.title).toBe("Pairing Expired");
    expect((await show(expired.userCode)).body.title).toBe("Pairing Expired");
    expect((await answer(expired.userCode, "approve")).body.title).toBe("Pairing Expired");
    await cloud.clock.advance(2 * 3_600_000);
    const left = () => cloud.rows((build) => build.selectFrom("pairings").select("state"));
    for (let turn = 0; turn < 1_000 && (await left()).length > 0; turn++) await settle(1);
    expect(await left()).toEqual([]);
    expect((await pollOnce(late, expired.deviceCode)).body.title).toBe("Pairing Code Invalid");
  });

  it("in the minute after a late approval still gets the token", async () => {
    const hub = newHub();
    const { userCode, deviceCode } = await begin(hub);
    await cloud.clock.advance(899_000);
    await answer(userCode, "approve");
    expect((await poll(hub, deviceCode)).status).toBe(200);
    await cloud.clock.advance(60_000);
    expect((await pollOnce(hub, deviceCode)).body.title).toBe("Pairing Expired");
  });

  it("and another at the same time get a token each, of which one is good", async () => {
    const hub = newHub();
    const { userCode, deviceCode } = await begin(hub);
    await answer(userCode, "approve");
    const replies = await Promise.all([1, 2, 3].map(() => pollOnce(hub, deviceCode)));
    const tokens = replies.flatMap(({ body }) => (body.token ? [body.token] : []));
    // Those after the first are too early.
    expect(replies.map(({ body }) => body.title ?? "paired").sort()).toEqual([
      "Pairing Slow Down",
      "Pairing Slow Down",
      "paired",
    ]);
    expect(await isGood(tokens[0])).toBe(true);
  });
});

describe("an answer", () => {
  it.each([
    ["two approvals", ["approve", "approve"]],
    ["an approval and a refusal", ["approve", "deny"]],
    ["a refusal and an approval", ["deny", "approve"]],
  ] as const)("is taken once: %s at the same time", async (_title, both) => {
    const hub = newHub();
    const other = await cloud.home();
    const { userCode, deviceCode } = await begin(hub);
    const [first, second] = both;
    const replies = await Promise.all([
      answer(userCode, first),
      answer(userCode, second, other.token, { environmentId: other.environmentId }),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(replies.find(({ status }) => status === 400)?.body.title).toBe("Pairing Code Invalid");
    const winner = both[replies.findIndex(({ status }) => status === 200)];
    const issued = await poll(hub, deviceCode);
    expect(issued.body.title ?? "paired").toBe(winner === "deny" ? "Pairing Denied" : "paired");
    const clients = await cloud.rows((build) =>
      build.selectFrom("clients").select("id").where("public_key", "=", hub.publicKey),
    );
    expect(clients).toHaveLength(winner === "deny" ? 0 : 1);
  });

  it("once given makes the code one that never was", async () => {
    const { userCode } = await begin(newHub());
    await answer(userCode, "approve");
    for (const reply of [await show(userCode), await answer(userCode, "approve"), await answer(userCode, "deny")])
      expect(reply.body.title).toBe("Pairing Code Invalid");
  });

  it("with the same idempotency key is the same answer", async () => {
    const { userCode } = await begin(newHub());
    const ask = () =>
      cloud.call("POST", `/api/pairings/${userCode}/approve`, {
        token: home.token,
        body: { environmentId: home.environmentId },
        headers: { "idempotency-key": "k" },
      });
    const [first, again] = [await ask(), await ask()];
    expect([again.status, again.body, again.headers["idempotent-replayed"]]).toEqual([200, first.body, "true"]);
  });

  it("that is refused leaves the code open, and nothing behind", async () => {
    const { userCode } = await begin(newHub());
    const stranger = await cloud.home();
    await cloud.good("POST", "/api/zones", {
      token: home.token,
      body: { environmentId: home.environmentId, alias: "taken" },
    });
    const refusals = [
      [{ environmentId: stranger.environmentId }, "Environment Invalid"],
      [{ environmentId: undefined }, "Environment Missing"],
      [{ alias: "taken" }, "Alias Exists"],
      [{ alias: "a;b" }, "Alias Invalid"],
      [{ environmentId: 7 }, "Environment Invalid"],
    ] as const;
    for (const [body, title] of refusals)
      expect((await answer(userCode, "approve", home.token, body)).body.title).toBe(title);
    expect(await eventsOf("hub.added")).toEqual([]);
    expect((await answer(userCode, "approve")).status).toBe(200);
  });
});

describe("a request that is none", () => {
  const good = pairingHub(200).asks;
  it.each([
    [{ ...good, edgeId: "02:00:00:00:00:01" }, "/edgeId"],
    [{ ...good, agentVersion: "a\u0007b" }, "/agentVersion"],
    [{ ...good, agentVersion: "x".repeat(65) }, "/agentVersion"],
    [{ ...good, publicKey: "AAAA" }, "/publicKey"],
    [{ ...good, publicKey: good.publicKey.replace(/.=$/, "B=") }, "/publicKey"],
    [{ ...good, more: 1 }, "/more"],
  ])("%j", async (body, pointer) => {
    const reply = await cloud.call("POST", "/api/pairings", { body });
    expect([reply.body.title, reply.body.errors?.[0]?.pointer]).toEqual(["Body Parameters Invalid", pointer]);
  });
});

describe("guessing", () => {
  it("is held to ten wrong codes a minute of one account, whichever of its tokens guesses; what is right is not counted", async () => {
    await using limited = await TestCloud.start({ rateLimit: 200, logInsPerMinute: "off", signUpsPerMinute: "off" });
    const owner = await limited.home();
    const tokens = [owner.token, await limited.serverToken(owner), await limited.userToken(owner)];
    const { userCode } = await limited.good("POST", "/api/pairings", { body: newHub().asks });
    const look = (code: string, n: number) =>
      limited.call("GET", `/api/pairings/${code}`, { token: tokens[n % 3] ?? "" });
    for (let n = 0; n < 20; n++) expect((await look(userCode, n)).status).toBe(200);
    for (let n = 0; n < 10; n++) expect((await look("BBBB-BBBB", n)).body.title).toBe("Pairing Code Invalid");
    for (let n = 0; n < 3; n++) {
      const { status, headers } = await look(userCode, n);
      expect([status, Number(headers["retry-after"])]).toEqual([429, 60]);
    }
    const other = await limited.home();
    expect((await limited.call("GET", `/api/pairings/${userCode}`, { token: other.token })).status).toBe(200);
    await limited.clock.advance(60_000);
    expect((await look(userCode, 0)).status).toBe(200);
  });

  it("and beginning is held to ten a minute of one address, polling is not", async () => {
    await using limited = await TestCloud.start({ rateLimit: 200 });
    const hub = newHub();
    const begun = [];
    for (let n = 0; n < 11; n++) begun.push(await limited.call("POST", "/api/pairings", { body: hub.asks }));
    expect(begun.map(({ status }) => status)).toEqual([...Array(10).fill(201), 429]);
    for (const { body } of begun.slice(0, 10)) {
      const reply = await limited.call("POST", "/api/pairings/poll", { body: hub.polls(body.deviceCode) });
      expect(reply.body.title).toBe("Pairing Pending");
    }
  });
});
