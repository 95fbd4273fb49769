/** What many webhooks have to do with each other, which is nothing; and what is kept of what was sent, and how long. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WAIT_MS } from "../../../test/parts/limits.ts";
import { type Home, TestCloud } from "../app.fixture.ts";
import { emailTo } from "../mail/emails.fixture.ts";
import { answering, hanging, Receiver, taken } from "./receiver.fixture.ts";

const DAY = 86_400_000;

let cloud: TestCloud;
let home: Home;
let receiver: Receiver;
beforeAll(async () => {
  cloud = await TestCloud.start({ webhookAllow: ["127.0.0.0/8"] });
});
afterAll(() => cloud[Symbol.asyncDispose]());
beforeEach(async () => {
  home = await cloud.home();
  receiver = await Receiver.start();
});
afterEach(() => receiver[Symbol.asyncDispose]());

const asked = (body?: unknown) => ({ token: home.token, ...(body !== undefined && { body }) });
const make = (url: string, body: object = {}) =>
  cloud.good("POST", "/api/webhooks", asked({ url, events: ["zone.*"], ...body }));
const zone = () => cloud.good("POST", "/api/zones", asked({ environmentId: home.environmentId }));
const rename = (id: string, alias: string) => cloud.good("PUT", `/api/zones/${id}`, asked({ alias }));
const rowsOf = (id: string) =>
  cloud.rows((db) => db.selectFrom("deliveries").selectAll().where("webhook_id", "=", id).orderBy("id"));

/** Little by little, until it is so: what the store did not take is tried again by this clock. @param what is waited for */
async function until(what: string, holds: () => Promise<boolean>, stepMs = 10): Promise<void> {
  const looked = async () => {
    const isSo = await holds();
    if (!isSo) await cloud.clock.advance(stepMs);
    return isSo;
  };
  await expect.poll(looked, { message: what, interval: 1, timeout: WAIT_MS }).toBe(true);
}

describe("a webhook", () => {
  it("delays no other webhook, although it hangs", async () => {
    await using dead = await Receiver.start(hanging);
    for (let count = 0; count < 20; count++) await make(dead.url);
    await make(receiver.url);
    for (let count = 0; count < 30; count++) await zone();
    // The clock stands still: a receiver that hangs has not been given up.
    await receiver.until((received) => received.length === 30);
    expect(dead.received.length).toBeLessThanOrEqual(20);
  });

  it("delays no other webhook at the same address", async () => {
    receiver.answer((received, response) => {
      if (received.path === "/hook") taken(received, response);
    });
    for (let count = 0; count < 20; count++) await make(new URL("/dead", receiver.url).href);
    await make(receiver.url);
    for (let count = 0; count < 30; count++) await zone();
    await receiver.until((received) => received.filter(({ path }) => path === "/hook").length === 30);
  });

  it("gets the events of one thing in their order, and at once only one of them", async () => {
    const open = new Map<string, number>();
    let most = 0;
    receiver.answer((received, response) => {
      const about = received.event.data.id;
      open.set(about, (open.get(about) ?? 0) + 1);
      most = Math.max(most, open.get(about) ?? 0);
      setImmediate(() => {
        open.set(about, (open.get(about) ?? 0) - 1);
        taken(received, response);
      });
    });
    await make(receiver.url);
    const zones = await Promise.all([zone(), zone(), zone()]);
    for (let count = 0; count < 10; count++)
      await Promise.all(zones.map(({ id }, at) => rename(id, `zone ${at} ${count}`)));
    await receiver.until((received) => received.length === 33);
    expect(most).toBe(1);
    for (const { id } of zones) {
      const sequences = receiver.received.flatMap(({ event }) => (event.data.id === id ? [event.sequence] : []));
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
      expect(sequences).toHaveLength(11);
    }
  });

  it("costs one row for what succeeds at its first attempt, and its position is kept", async () => {
    const { id } = await make(receiver.url);
    for (let count = 0; count < 5; count++) await zone();
    await until("five deliveries are stored", async () => (await rowsOf(id)).length === 5);
    expect((await rowsOf(id)).map(({ attempt, state }) => [attempt, state])).toEqual(Array(5).fill([1, "succeeded"]));
    const [cursor] = await cloud.rows((db) =>
      db.selectFrom("webhook_cursors").selectAll().where("webhook_id", "=", id),
    );
    expect(cursor?.position).toBe((await rowsOf(id)).at(-1)?.sequence);
  });

  it("that is confined to an environment gets no event of its end, which is also its own", async () => {
    const { id: environmentId } = await cloud.good("POST", "/api/environments", asked({}));
    await make(new URL("/inside", receiver.url).href, { events: ["*"], environmentId });
    await make(receiver.url, { events: ["environment.*"] });
    await cloud.good("POST", "/api/zones", asked({ environmentId }));
    await receiver.until((received) => received.some(({ path }) => path === "/inside"));
    await cloud.good("DELETE", `/api/environments/${environmentId}`, asked());
    await receiver.until((received) => received.some(({ event }) => event.type === "environment.deleted"));
    await cloud.good("POST", "/api/environments", asked({}));
    await receiver.until((received) => received.some(({ event }) => event.type === "environment.created"));
    const delivered = receiver.received.map(({ path, event }) => `${path} ${event.type}`);
    expect(delivered).toEqual(["/inside zone.created", "/hook environment.deleted", "/hook environment.created"]);
  });

  it("has all that must be tried again at one moment tried, however much it is", async () => {
    const { id } = await make(receiver.url, { disabled: true });
    const event = { event_id: "evt_1", type: "zone.created", cursor: null, sequence: 1, body: "{}" };
    const state = { attempt: 1, state: "pending", created_at: cloud.clock.now(), next_attempt_at: cloud.clock.now() };
    const nothing = { attempted_at: null, duration_ms: null, response_status: null, error: null, response: null };
    const of = { ecosystem_id: home.ecosystemId, webhook_id: id, ...event, ...state, ...nothing };
    const rows = Array.from({ length: 600 }, (_, at) => ({ ...of, id: `dlv_${id}_${at}` }));
    await cloud.change((db) => db.insertInto("deliveries").values(rows));
    await cloud.good("PUT", `/api/webhooks/${id}`, asked({ disabled: false }));
    // The clock stands still: nothing comes round to it again.
    await receiver.until((received) => received.length === rows.length);
  });

  it("at which nothing has succeeded for five days is disabled, and the account is written", async () => {
    receiver.answer(answering(500));
    const { items } = await cloud.good("GET", "/api/webhooks", asked());
    expect(items).toEqual([]);
    const { code } = await emailTo(cloud.folder, home.email, 1);
    await cloud.good("POST", "/api/accounts/verify", { body: { code } });
    const { id } = await make(`${receiver.url}?secret=1`);
    await zone();
    await until("the delivery is stored", async () => (await rowsOf(id)).length === 1);
    cloud.clock.jumpWall(5 * DAY + 1);
    await zone();
    await until(
      "the webhook is disabled",
      async () => (await cloud.good("GET", `/api/webhooks/${id}`, asked())).disabled,
      1_000,
    );
    expect(new Set((await rowsOf(id)).map(({ state }) => state))).toEqual(new Set(["failed"]));
    const [event] = await cloud.rows((db) =>
      db
        .selectFrom("events")
        .selectAll()
        .where("ecosystem_id", "=", home.ecosystemId)
        .where("type", "=", "webhook.disabled"),
    );
    expect(JSON.parse(event?.data ?? "{}")).toMatchObject({ id, disabled: true });
    const letter = await emailTo(cloud.folder, home.email, 2);
    expect(letter.text).toContain(id);
    expect(letter.text).not.toContain("secret=1");
  });

  it("loses nothing of what was not stored, when the store fails for a while", async () => {
    const { id } = await make(receiver.url);
    receiver.answer((received, response) => {
      cloud.storeFault.error = new Error("no store");
      taken(received, response);
    });
    await zone();
    await receiver.until((received) => received.length === 1);
    await cloud.clock.advance(3_000);
    cloud.storeFault.error = undefined;
    receiver.answer(taken);
    await until("the delivery is stored", async () => (await rowsOf(id)).length === 1, 500);
    expect(await rowsOf(id)).toMatchObject([{ state: "succeeded", attempt: 1 }]);
    expect(receiver.received).toHaveLength(1);
  });
});

describe("deliveries", () => {
  it("are kept 30 days, and no longer than their webhook", async () => {
    const [kept, ended] = [await make(receiver.url), await make(receiver.url)];
    await zone();
    await until(
      "both deliveries are stored",
      async () => (await rowsOf(kept.id)).length + (await rowsOf(ended.id)).length === 2,
    );
    await cloud.good("DELETE", `/api/webhooks/${ended.id}`, asked());
    await until("the deliveries of the deleted webhook are deleted", async () => (await rowsOf(ended.id)).length === 0);
    expect(await rowsOf(kept.id)).toHaveLength(1);
    cloud.clock.jumpWall(30 * DAY + 1);
    const { id: other } = await make(receiver.url);
    await cloud.good("DELETE", `/api/webhooks/${other}`, asked());
    await until("the old delivery is deleted", async () => (await rowsOf(kept.id)).length === 0);
  });

  it("are deleted with the account, with all their contents", async () => {
    const { id } = await make(receiver.url);
    await zone();
    await until("the delivery is stored", async () => (await rowsOf(id)).length === 1);
    await cloud.good("DELETE", "/api/account", asked({ currentPassword: home.password }));
    const ecosystem = home.ecosystemId;
    const left = async () => [
      await rowsOf(id),
      await cloud.rows((db) => db.selectFrom("webhooks").select("id").where("ecosystem_id", "=", ecosystem)),
      await cloud.rows((db) => db.selectFrom("webhook_cursors").select("id").where("ecosystem_id", "=", ecosystem)),
    ];
    await until("nothing of the account is left", async () => (await left()).every((rows) => rows.length === 0), 1_000);
  });
});
