/** The audit: every route that writes leaves an entry, and the account reads it. */
import { settle } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import { emailTo } from "../../../mail/emails.fixture.ts";
import { pairingHub } from "../../../pairing/hub.fixture.ts";

let cloud: TestCloud;
let home: Home;
beforeAll(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
});
afterAll(() => cloud[Symbol.asyncDispose]());

type Method = "POST" | "PUT" | "DELETE";
const send = (method: Method, url: string, body?: unknown, token = home.token) =>
  cloud.good(method, url, { token, ...(body !== undefined && { body }) });
let count = 0;
/** A new object of that collection, and where it is. */
async function made(path: string, body: object = {}): Promise<string> {
  const inEnvironment = /zones|scenes|clients|devices/.test(path) ? { environmentId: home.environmentId } : {};
  // With a second ecosystem, an account has to say which.
  const inEcosystem = /environments|users|servers/.test(path) ? { ecosystemId: home.ecosystemId } : {};
  const key = path === "/api/users" ? { key: `key ${++count}` } : {};
  const services = path === "/api/devices" ? { services: [{ service: "Switch" }] } : {};
  const items =
    path === "/api/scenes" ? { items: [{ target: await virtual(), service: "Switch.on", value: true }] } : {};
  const sent = { ...inEnvironment, ...inEcosystem, ...key, ...services, ...items, ...body };
  return (await send("POST", path, sent)).id;
}
const virtual = () => made("/api/devices");
const at = async (path: string) => `${path}/${await made(path)}`;
const login = () => cloud.good("POST", "/api/accounts/login", { body: { email: home.email, password: home.password } });

/** What a caller does so that the route writes; gives the action that must be recorded. */
const WRITES: Readonly<Record<string, () => Promise<string>>> = {
  "POST /api/accounts/login": async () => {
    await login();
    return "login.created";
  },
  "POST /api/accounts/logout": async () => {
    const { token } = await login();
    await send("POST", "/api/accounts/logout", undefined, token);
    return "login.ended";
  },
  "POST /api/accounts/verify": async () => {
    const { code } = await emailTo(cloud.folder, home.email);
    await cloud.good("POST", "/api/accounts/verify", { body: { code } });
    return "account.verified";
  },
  "POST /api/accounts/password-reset": async () => {
    await cloud.good("POST", "/api/accounts/password-reset", { body: { email: home.email } });
    return "password.reset_asked";
  },
  "POST /api/accounts/password-reset/confirm": async () => {
    const { code } = await emailTo(cloud.folder, home.email, 2);
    const body = { code, password: home.password };
    await cloud.good("POST", "/api/accounts/password-reset/confirm", { body });
    // All other log-ins have ended with the old password.
    home = { ...home, token: (await login()).token };
    return "password.reset";
  },
  "PUT /api/account": async () => {
    await send("PUT", "/api/account", { name: "Ada", currentPassword: home.password });
    return "account.updated";
  },
  "DELETE /api/account/tokens/:tokenId": async () => {
    await send("DELETE", `/api/account/tokens/${(await login()).id}`);
    return "login.ended";
  },
  ...ofCollection("/api/ecosystems", "ecosystem"),
  ...ofCollection("/api/environments", "environment"),
  ...ofCollection("/api/users", "user"),
  ...ofCollection("/api/servers", "server"),
  ...ofCollection("/api/zones", "zone"),
  ...ofCollection("/api/scenes", "scene"),
  "POST /api/scenes/capture": async () => {
    const target = await virtual();
    await send("PUT", `/api/devices/${target}/services/Switch.on`, { value: true });
    await send("POST", "/api/scenes/capture", { environmentId: home.environmentId, targets: [target] });
    return "scene.created";
  },
  ...ofCollection("/api/clients", "client"),
  ...ofCollection("/api/devices", "device"),
  "POST /api/users/:id/access": async () => {
    await send("POST", `${await at("/api/users")}/access`, { environmentId: home.environmentId });
    return "access.granted";
  },
  "DELETE /api/users/:id/access/:accessId": async () => {
    const user = await at("/api/users");
    const { id } = await send("POST", `${user}/access`, { environmentId: home.environmentId });
    await send("DELETE", `${user}/access/${id}`);
    return "access.taken_away";
  },
  "POST /api/pairings/:userCode/approve": async () => {
    await approve(1);
    return "pairing.approved";
  },
  "POST /api/pairings/:userCode/deny": async () => {
    const { userCode } = await cloud.good("POST", "/api/pairings", { body: pairingHub(2).asks });
    await send("POST", `/api/pairings/${userCode}/deny`);
    return "pairing.denied";
  },
  "POST /api/pairings/poll": async () => {
    const deviceCode = await approve(3);
    await cloud.good("POST", "/api/pairings/poll", { body: pairingHub(3).polls(deviceCode) });
    return "token.created";
  },
  "POST /api/accounts/login/code/:userCode/approve": async () => {
    await approveLogIn();
    return "login.approved";
  },
  "POST /api/accounts/login/code/:userCode/deny": async () => {
    const { userCode } = await cloud.good("POST", "/api/accounts/login/code");
    await send("POST", `/api/accounts/login/code/${userCode}/deny`);
    return "login.denied";
  },
  "POST /api/accounts/login/code/poll": async () => {
    const deviceCode = await approveLogIn();
    await cloud.good("POST", "/api/accounts/login/code/poll", { body: { deviceCode } });
    return "login.created";
  },
  "POST /api/webhooks": async () => {
    await webhook();
    return "webhook.created";
  },
  "PUT /api/webhooks/:id": async () => {
    await send("PUT", await webhook(), { description: "other" });
    return "webhook.updated";
  },
  "POST /api/webhooks/:id": async () => {
    await send("POST", await webhook(), { description: "other" });
    return "webhook.updated";
  },
  "DELETE /api/webhooks/:id": async () => {
    await send("DELETE", await webhook());
    return "webhook.deleted";
  },
  "PUT /api/ecosystems/:id/history-settings": async () => {
    await send("PUT", `/api/ecosystems/${home.ecosystemId}/history-settings`, { rawDays: 11 });
    return "ecosystem.history_settings_changed";
  },
  "PUT /api/ecosystems/:id/sink": async () => {
    await send("PUT", `/api/ecosystems/${home.ecosystemId}/sink`, {
      url: "https://metrics.example/write",
      enabled: false,
    });
    return "ecosystem.sink_changed";
  },
  "DELETE /api/ecosystems/:id/sink": async () => {
    await send("DELETE", `/api/ecosystems/${home.ecosystemId}/sink`);
    return "ecosystem.sink_deleted";
  },
  "POST /api/account/export": async () => {
    await send("POST", "/api/account/export", { currentPassword: home.password });
    return "export.started";
  },
  "PUT /api/account/alerts": async () => {
    await send("PUT", "/api/account/alerts", { email: false });
    return "alerts.updated";
  },
  "POST /api/account/alerts/test": async () => {
    await send("POST", "/api/account/alerts/test", { ecosystemId: home.ecosystemId });
    return "alerts.tested";
  },
  "POST /api/webhooks/:id/test": async () => {
    await send("POST", `${await webhook()}/test`);
    return "webhook.tested";
  },
  "POST /api/webhooks/:id/deliveries/:deliveryId/redeliver": async () => {
    const path = await webhook();
    const { id } = await send("POST", `${path}/test`);
    await send("POST", `${path}/deliveries/${id}/redeliver`);
    return "webhook.redelivered";
  },
  "POST /api/webhooks/:id/replay": async () => {
    await send("POST", `${await webhook()}/replay`, { since: "2026-01-01 00:00:00Z" });
    return "webhook.replayed";
  },
  // The hub is offline: that it was asked for is recorded all the same.
  "POST /api/clients/:id/setups": async () => {
    const body = { kind: "zigbee" };
    await cloud.call("POST", `${await at("/api/clients")}/setups`, { token: home.token, body });
    return "setup.started";
  },
  "POST /api/clients/:id/restart": async () => {
    await cloud.call("POST", `${await at("/api/clients")}/restart`, { token: home.token });
    return "hub.restart_requested";
  },
  "POST /api/clients/:id/backups": async () => {
    await cloud.call("POST", `${await at("/api/clients")}/backups`, { token: home.token });
    return "hub.backup_requested";
  },
  "PUT /api/clients/:id/admissions/:edgeId": async () => {
    await cloud.call("PUT", `${await at("/api/clients")}/admissions/02-00-00-00-00-01`, { token: home.token });
    return "device.admitted";
  },
  "DELETE /api/clients/:id/admissions/:edgeId": async () => {
    await cloud.call("DELETE", `${await at("/api/clients")}/admissions/02-00-00-00-00-01`, { token: home.token });
    return "device.dismissed";
  },
  ...ofTokens("/api/users"),
  ...ofTokens("/api/servers"),
  ...ofTokens("/api/clients"),
};

/** Path of a webhook, which is sent nothing. */
async function webhook(): Promise<string> {
  const about = { ecosystemId: home.ecosystemId, disabled: true };
  const { id } = await send("POST", "/api/webhooks", { url: "https://receiver.example/", ...about });
  return `/api/webhooks/${id}`;
}

/** Approves a hub; gives the code that it polls with. */
async function approve(number: number): Promise<string> {
  const { userCode, deviceCode } = await cloud.good("POST", "/api/pairings", { body: pairingHub(number).asks });
  await send("POST", `/api/pairings/${userCode}/approve`, { environmentId: home.environmentId });
  return deviceCode;
}

/** Approves a log-in by code; gives the code that the program polls with. */
async function approveLogIn(): Promise<string> {
  const { userCode, deviceCode } = await cloud.good("POST", "/api/accounts/login/code");
  await send("POST", `/api/accounts/login/code/${userCode}/approve`);
  return deviceCode;
}

function ofCollection(path: string, word: string): typeof WRITES {
  return {
    [`POST ${path}`]: async () => {
      await at(path);
      return `${word}.created`;
    },
    [`PUT ${path}/:id`]: async () => {
      await send("PUT", await at(path), { meta: { changed: true } });
      return `${word}.updated`;
    },
    [`DELETE ${path}/:id`]: async () => {
      await send("DELETE", await at(path));
      return `${word}.deleted`;
    },
  };
}

function ofTokens(path: string): typeof WRITES {
  return {
    [`POST ${path}/:id/tokens`]: async () => {
      await send("POST", `${await at(path)}/tokens`);
      return "token.created";
    },
    [`DELETE ${path}/:id/tokens/:tokenId`]: async () => {
      const subject = await at(path);
      const { id } = await send("POST", `${subject}/tokens`);
      await send("DELETE", `${subject}/tokens/${id}`);
      return "token.revoked";
    },
  };
}

/** Routes that leave none, and why. */
const WITHOUT: Readonly<Record<string, string>> = {
  "PUT /api/clients/:id/setups/:setupId/answers/:number": "the setup's start is recorded; an answer may be a secret",
  "DELETE /api/clients/:id/setups/:setupId": "the setup's start is recorded",
  "POST /api/session/token": "each page that loads does it; the log-in of its cookie is recorded",
  "POST /api/accounts": "it has a test of its own: who signs up has no entries before",
  "DELETE /api/account": "the entries go with the account",
  "POST /api/accounts/login/code": "a program that begins to log in has no account yet",
  "POST /api/pairings": "a hub that begins to pair has no account yet",
  "PUT /api/devices/:id/services/:selector": "the record of a property write is its command",
  "PUT /api/environments/:id/services/:selector": "the same",
  "PUT /api/zones/:id/services/:selector": "the same",
  "POST /api/ecosystems/:id/sink/test": "it changes nothing: a write without lines is sent",
  "POST /api/scenes/:id/call": "the same, command by command; the call is an event",
};

type Entry = { id: string; at: string; action: string; objectId?: string; address?: string; actor: { id?: string } };
async function entries(query = ""): Promise<Entry[]> {
  return (await cloud.good("GET", `/api/audit${query}`, { token: home.token })).items;
}

/** The entries of an action, once there is one: one of a caller that is not known yet is stored after the answer. */
async function entriesOf(action: string, read: () => Promise<Entry[]>): Promise<Entry[]> {
  for (let turn = 0; turn < 1_000; turn++) {
    const audited = (await read()).filter((entry) => entry.action === action);
    if (audited.length > 0) return audited;
    await settle(1);
  }
  return [];
}

describe("every route that writes", () => {
  it("is listed here, with its audit entry or the reason why it has none", () => {
    const writing = cloud.app.routes
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path}`);
    expect(writing.filter((route) => !(route in WRITES) && !(route in WITHOUT)).sort()).toEqual([]);
    expect([...Object.keys(WRITES), ...Object.keys(WITHOUT)].filter((route) => !writing.includes(route))).toEqual([]);
  });

  it.each(Object.entries(WRITES))("%s records the actor, the address and the object", async (_route, write) => {
    const { length } = await entries();
    const action = await write();
    const audited = await entriesOf(action, async () => (await entries()).slice(length));
    expect(audited.at(-1)).toMatchObject({ objectId: expect.any(String), address: "127.0.0.1" });
  });
});

describe("the audit", () => {
  it("has no entry of a page that loads", async () => {
    const body = { email: home.email, password: home.password, session: true };
    const { cookies } = await cloud.call("POST", "/api/accounts/login", { body, headers: { host: "127.0.0.1" } });
    const cookie = cookies[0]?.split(";", 1)[0] ?? "";
    const before = await entries();
    const own = { host: "127.0.0.1", cookie, "sec-fetch-site": "same-origin" };
    await cloud.good("POST", "/api/session/token", { headers: own });
    expect(await entries()).toEqual(before);
  });

  it("begins with the sign-up, and has refused log-ins", async () => {
    const other = await cloud.home();
    const wrong = { email: other.email, password: "not the password" };
    expect((await cloud.call("POST", "/api/accounts/login", { body: wrong })).status).toBe(401);
    const read = async () => (await cloud.good("GET", "/api/audit", { token: other.token })).items;
    const [refused] = await entriesOf("login.refused", read);
    const [first] = await read();
    expect(first).toMatchObject({ action: "account.created", objectId: other.id, actor: { type: "account" } });
    expect(refused).toMatchObject({ objectId: other.id, actor: { type: "unknown" }, address: "127.0.0.1" });
  });

  it("shows the account the actions of its servers and users", async () => {
    const token = await cloud.serverToken({ ...home, ...(await cloud.home()) });
    const { items: before } = await cloud.good("GET", "/api/users", { token });
    const { id } = await cloud.good("POST", "/api/users", { token, body: { key: "by a server" } });
    expect(before).toHaveLength(1);
    const rows = await cloud.rows((build) => build.selectFrom("audit_entries").selectAll().where("object_id", "=", id));
    expect(rows).toMatchObject([{ actor_type: "server", action: "user.created" }]);
    expect(rows[0]?.account_id).toMatch(/^acc_/);
  });

  it("is the account's own, and no server's or user's to read", async () => {
    const other = await cloud.home();
    const { items } = await cloud.good("GET", "/api/audit", { token: other.token });
    expect(items.every(({ actor }: Entry) => actor.id === undefined || actor.id === other.id)).toBe(true);
    for (const token of [await cloud.serverToken(other), await cloud.userToken(other)])
      expect((await cloud.call("GET", "/api/audit", { token })).body.title).toBe("Token Type Not Allowed");
  });

  it("comes in pages, of one ecosystem, since a time", async () => {
    const all = await entries();
    const walked: Entry[] = [];
    for (let next = "?pageSize=7"; next; ) {
      const page = await cloud.good("GET", `/api/audit${next}`, { token: home.token });
      walked.push(...page.items);
      next = page.continuationToken ? `?pageSize=7&continuationToken=${page.continuationToken}` : "";
    }
    expect(walked).toEqual(all);
    expect(await entries("?order=newest")).toEqual(all.toReversed());
    const confined = await entries(`?ecosystemId=${home.ecosystemId}`);
    expect(confined.length).toBeGreaterThan(0);
    expect(confined.length).toBeLessThan(all.length);
    await cloud.clock.advance(60_000);
    const environment = await made("/api/environments");
    const since = encodeURIComponent((await entries()).at(-1)?.at ?? "");
    expect((await entries(`?since=${since}`)).map(({ objectId }) => objectId)).toEqual([environment]);
    for (const query of ["?since=yesterday", "?since=2026-13-01%2000:00:00Z"])
      expect((await cloud.call("GET", `/api/audit${query}`, { token: home.token })).body.title).toBe(
        "Query Parameter Invalid",
      );
    expect((await cloud.call("GET", "/api/audit?ecosystemId=eco_x", { token: home.token })).body.title).toBe(
      "Ecosystem Invalid",
    );
  });

  it("is asked by kind of actor, by action and until a time", async () => {
    const entries = async (query: string) =>
      (await cloud.good("GET", `/api/audit?pageSize=200&${query}`, { token: home.token })).items;
    const webhooks = await entries("action=webhook.*");
    expect(webhooks.length).toBeGreaterThan(0);
    for (const { action } of webhooks) expect(action).toMatch(/^webhook\./);
    const created = await entries("action=zone.created&actor=account");
    expect(created.length).toBeGreaterThan(0);
    for (const { action, actor } of created) expect([action, actor.type]).toEqual(["zone.created", "account"]);
    expect(await entries("action=zone.creat")).toEqual([]);
    expect(await entries("until=2020-01-01%2000:00:00Z")).toEqual([]);
    for (const bad of ["actor=nobody", "action=*", "action=zone", "until=soon"]) {
      const { body } = await cloud.call("GET", `/api/audit?${bad}`, { token: home.token });
      expect(body.title, bad).toBe("Query Parameter Invalid");
    }
  });

  it("holds no token and no password", async () => {
    const rows = await cloud.rows((build) => build.selectFrom("audit_entries").selectAll());
    expect(JSON.stringify(rows)).not.toMatch(/plt_|correct horse/);
  });
});
