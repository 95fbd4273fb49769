/** One account that stores as much as it can: what it reaches, what still works for it, and that others do not notice. */
import { formatTime } from "@porchlight/shared/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectHub } from "../../../test/parts/answering-hub.ts";
import { type Home, TestCloud } from "../app.fixture.ts";
import { emailTo } from "../mail/emails.fixture.ts";
import { TABLES } from "../store/table-names.fixture.ts";

const MEGABYTES = 3;
/** What one more request, and rows that are estimated, can pass the quota by. */
const MARGIN = 1.15;
const META = { text: "x".repeat(62_000) };
/** More pairs than the quota admits, even if little is kept of each. */
const MOST_PAIRS = 60;

let cloud: TestCloud;
let home: Home;
let deviceId: string;
let clientId: string;
let clientToken: string;
let attack: Attack;

interface Attack {
  readonly pairs: number;
  /** What ended it. */
  readonly refusal: { readonly status: number; readonly body: { readonly title: string; readonly detail: string } };
  /** Bytes that it has left. */
  readonly left: number;
}

const post = (key: string, meta: object, { environmentId, token }: Home = home) =>
  cloud.call("POST", "/api/zones", { token, body: { environmentId, meta }, headers: { "idempotency-key": key } });
const quota = async (of: Home = home) => {
  const { items } = await cloud.good("GET", "/api/quotas", { token: of.token });
  return items.find(({ name }: { name: string }) => name === "megabytesPerAccount");
};
/**
 * Its data is measured from now on, and gives what was found: of two measurements that end later the second began later. One during which the
 * clock is moved makes the next come up to 20 times as much later.
 */
async function measuredAgain(of: Home = home) {
  for (let ended = 0, last = formatTime(cloud.clock.now()); ended < 2; ) {
    await cloud.clock.advance(11_000);
    const { measuredAt } = await cloud.good("GET", "/api/usage", { token: of.token });
    if (measuredAt <= last) continue;
    ended += 1;
    last = measuredAt;
  }
  return quota(of);
}

/** Bytes of all rows of all tables, as texts. */
async function stored(): Promise<number> {
  let bytes = 0;
  for (const table of TABLES)
    for (const row of await cloud.rows((db) => db.selectFrom(table).selectAll()))
      bytes += Object.values(row).reduce((sum: number, value) => sum + String(value ?? "").length, 0);
  return bytes;
}

/** Makes and deletes zones until it is refused. */
async function fill(by: Home): Promise<Attack> {
  const before = await stored();
  for (let pairs = 0; ; pairs++) {
    let made = await post(`pair ${pairs}`, META, by);
    if (made.status !== 201) {
      // What was admitted since the last measurement is estimated, as more than it is.
      await measuredAgain(by);
      made = await post(`pair ${pairs}, measured`, META, by);
    }
    if (made.status !== 201 || pairs === MOST_PAIRS) return { pairs, refusal: made, left: (await stored()) - before };
    await cloud.good("DELETE", String(made.headers.location), { token: by.token });
    if (pairs % 8 === 7) await measuredAgain(by);
  }
}

beforeAll(async () => {
  cloud = await TestCloud.start({ maxMegabytesPerAccount: MEGABYTES });
  home = await cloud.home();
  const body = { environmentId: home.environmentId, services: [{ service: "LightColor" }] };
  deviceId = (await cloud.good("POST", "/api/devices", { token: home.token, body })).id;
  const { token, environmentId } = home;
  clientId = (await cloud.good("POST", "/api/clients", { token, body: { environmentId } })).id;
  clientToken = (await cloud.good("POST", `/api/clients/${clientId}/tokens`, { token })).token;
  attack = await fill(home);
});
afterAll(() => cloud[Symbol.asyncDispose]());

describe("an account that makes and deletes zones with 62 KB of metadata and idempotency keys", () => {
  it("is refused by the name of the quota, before it has stored more than that", async () => {
    const { refusal, left } = attack;
    expect([refusal.status, refusal.body.title]).toEqual([403, "Quota Exceeded"]);
    expect(refusal.body.detail).toContain("megabytesPerAccount");
    expect(left).toBeLessThan(MEGABYTES * 1_000_000 * MARGIN);
  });

  it("leaves no more than the events of each pair, twice its metadata", async () => {
    expect(attack.left / attack.pairs).toBeLessThan(2.2 * META.text.length);
  });

  it("sees in its quotas what it has used", async () => {
    const used = await measuredAgain();
    expect(used.limit).toBe(MEGABYTES);
    expect(used.used).toBeGreaterThanOrEqual(MEGABYTES - 1);
  });

  it("can read, delete, repeat and command as before, and store nothing under a new key", async () => {
    const { token } = home;
    expect((await post("pair 0", META)).headers["idempotent-replayed"]).toBe("true");
    expect((await post("new", {})).body.title).toBe("Quota Exceeded");
    const path = `/api/environments/${home.environmentId}`;
    expect((await cloud.call("PUT", path, { token, body: { meta: { a: 1 } } })).body.title).toBe("Quota Exceeded");
    expect((await cloud.call("GET", "/api/zones", { token })).status).toBe(200);
    const command = { token, body: { value: 5 }, headers: { "idempotency-key": "command" } };
    expect((await cloud.call("PUT", `/api/devices/${deviceId}/services/LightColor.hue`, command)).status).toBe(200);
    expect((await cloud.call("DELETE", `/api/devices/${deviceId}`, { token })).status).toBe(200);
  });

  it("can restart, back up and set up its hubs, each with its audit entry, until the reserve for that is used up, and delete them", async () => {
    await connectHub(cloud, clientToken);
    const { token } = home;
    const of = `/api/clients/${clientId}`;
    const restart = () => cloud.call("POST", `${of}/restart`, { token });
    expect((await restart()).status).toBe(202);
    expect((await cloud.call("POST", `${of}/backups`, { token })).status).toBe(201);
    expect((await cloud.call("POST", `${of}/setups`, { token, body: { kind: "bridge" } })).status).toBe(201);
    expect((await cloud.call("PUT", `${of}/admissions/02-00-00-00-00-77`, { token })).status).toBe(200);
    const { items } = await cloud.good("GET", "/api/audit?order=newest&pageSize=4", { token });
    expect(items.map(({ action }: { action: string }) => action)).toEqual([
      ...["device.admitted", "setup.started", "hub.backup_requested", "hub.restart_requested"],
    ]);
    let admitted = 4;
    let answer = await restart();
    for (; answer.status === 202; answer = await restart()) admitted += 1;
    expect([admitted, answer.status, answer.body.title]).toEqual([100, 403, "Quota Exceeded"]);
    expect(answer.body.detail).toContain("quarter of an hour");
    await cloud.clock.advance(900_000);
    expect((await restart()).body.title).not.toBe("Quota Exceeded");
    expect((await restart()).body.title).toBe("Quota Exceeded");
    expect((await cloud.call("DELETE", of, { token })).status).toBe(200);
  });

  it("is refused also by a node that has not measured it, from a second after its first write on", async () => {
    const owner = await cloud.home();
    const object = { ecosystem_id: owner.ecosystemId, id: "usr_full", kind: "usr", version: 1, created_at: 0 };
    await cloud.change((db) => db.insertInto("objects").values({ ...object, meta: "x".repeat(MEGABYTES * 1_000_000) }));
    expect((await post("first", {}, owner)).status).toBe(201);
    await cloud.clock.advance(1_000);
    // On PostgreSQL it is measured while requests go on; a repeat of an admitted key would be admitted again.
    let keys = 0;
    await expect.poll(async () => (await post(`more ${keys++}`, {}, owner)).body.title).toBe("Quota Exceeded");
  });

  it("takes nothing from other accounts", async () => {
    const other = await cloud.home();
    expect((await post("other", META, other)).status).toBe(201);
  });

  it("can store again when its events have expired", async () => {
    const other = await cloud.home();
    await fill(other);
    await cloud.change((db) => db.deleteFrom("events").where("ecosystem_id", "=", other.ecosystemId));
    await measuredAgain(other);
    expect((await post("later", META, other)).status).toBe(201);
  });
});

describe("a million bytes more in", () => {
  const text = "x".repeat(1_000_000);
  const rowsOf = ({ id: accountId, ecosystemId: eco, environmentId: env }: Home) => {
    const key = {
      owner: accountId,
      fingerprint: "",
      state: "done",
      node_id: "",
      claim: "",
      created_at: cloud.clock.now(),
    };
    const command = {
      ecosystem_id: eco,
      environment_id: env,
      device_id: "dev_1",
      service: "s",
      idx: "0",
      property: "p",
    };
    const delivery = { ecosystem_id: eco, webhook_id: "whk_1", event_id: "evt_1", type: "t", sequence: 1, attempt: 1 };
    const request = {
      account_id: accountId,
      request_id: "r",
      at: cloud.clock.now(),
      method: "GET",
      route: "r",
      path: "p",
    };
    const object = { ecosystem_id: eco, kind: "usr", version: 1, created_at: 0 };
    return {
      idempotency_keys: { ...key, hash: "answer", answer: text },
      commands: { ...command, id: "cmd_1", value: text, state: "confirmed", created_at: 0, expires_at: 0 },
      deliveries: { ...delivery, id: "dlv_1", body: text, state: "succeeded", created_at: 0 },
      request_log: { ...request, id: "req_1", status: 400, duration_us: 1, problem_body: text },
      objects: { ...object, id: "usr_1", meta: text },
    } as const;
  };

  it.each(["idempotency_keys", "commands", "deliveries", "request_log", "objects"] as const)(
    "%s is a million bytes more of the quota",
    async (table) => {
      const owner = await cloud.home();
      expect((await quota(owner)).used).toBe(0);
      await cloud.change((db) => db.insertInto(table).values(rowsOf(owner)[table]));
      expect((await measuredAgain(owner)).used).toBe(1);
      await cloud.change((db) => db.deleteFrom(table));
    },
  );

  it("many objects is found in all slices", async () => {
    const owner = await cloud.home();
    for (let slice = 0; slice < 5; slice++) {
      const rows = Array.from({ length: 900 }, (_, n) => ({
        ...{ ecosystem_id: owner.ecosystemId, id: `usr_${slice}_${n}`, kind: "usr", version: 1, created_at: 0 },
        meta: "",
      }));
      await cloud.change((db) => db.insertInto("objects").values(rows));
    }
    expect((await measuredAgain(owner)).used).toBe(1);
  });
});

it("an account that has nearly used its quota gets an alert and an e-mail, once", async () => {
  const owner = await cloud.home();
  await cloud.good("POST", "/api/ecosystems", { token: owner.token, body: {} });
  const { code } = await emailTo(cloud.folder, owner.email);
  await cloud.good("POST", "/api/accounts/verify", { body: { code } });
  const object = { ecosystem_id: owner.ecosystemId, id: "usr_near", kind: "usr", version: 1, created_at: 0 };
  await cloud.change((db) => db.insertInto("objects").values({ ...object, meta: "x".repeat(MEGABYTES * 1_000_000) }));
  const alerts = async () => (await cloud.good("GET", "/api/alerts", { token: owner.token })).items;
  while ((await alerts()).length === 0) await cloud.clock.advance(30_000);
  expect(await alerts()).toMatchObject([
    { kind: "quota_near", subject: { type: "quota", name: "megabytesPerAccount" }, ecosystemId: owner.ecosystemId },
  ]);
  expect((await emailTo(cloud.folder, owner.email, 2)).text).toContain("megabytesPerAccount");
});

describe("GET /api/usage", () => {
  const bytesOf = async (owner: Home) => {
    await cloud.clock.advance(10_000);
    const { items, ...usage } = await cloud.good("GET", "/api/usage", { token: owner.token });
    const kinds: { kind: string; bytes: number }[] = items;
    return { usage, bytes: Object.fromEntries(kinds.map(({ kind, bytes }) => [kind, bytes])) };
  };

  it("shows each kind, their sum, the quota and when they were measured", async () => {
    const owner = await cloud.home();
    const body = { environmentId: owner.environmentId, services: [{ service: "LightColor" }] };
    const { id } = await cloud.good("POST", "/api/devices", { token: owner.token, body });
    const set = { token: owner.token, body: { value: 7 } };
    await cloud.good("PUT", `/api/devices/${id}/services/LightColor.hue`, set);
    await expect.poll(async () => (await bytesOf(owner)).bytes.history).toBeGreaterThan(0);
    const { usage, bytes } = await bytesOf(owner);
    for (const kind of ["objects", "events", "history", "audit"]) expect([kind, bytes[kind]]).not.toEqual([kind, 0]);
    expect(usage.bytes).toBe(Object.values(bytes).reduce((sum, each) => sum + each, 0));
    expect(usage.limitBytes).toBe(MEGABYTES * 1_000_000);
    expect(usage.measuredAt).toMatch(/^2026-/);
  });

  it("is measured at most every ten seconds", async () => {
    const owner = await cloud.home();
    const first = await bytesOf(owner);
    await post("more", META, owner);
    expect((await cloud.good("GET", "/api/usage", { token: owner.token })).bytes).toBe(first.usage.bytes);
    expect((await bytesOf(owner)).usage.bytes).toBeGreaterThan(first.usage.bytes + META.text.length);
  });

  it("is in the metrics of the node, without a word of whose it is", async () => {
    const { payload } = await cloud.app.fastify.inject("/metrics");
    expect(payload).toMatch(/porchlight_storage_bytes\{kind="events"\} [1-9]/);
    expect(payload).not.toContain(home.ecosystemId);
  });
});
