/** Webhooks as their owner sees them: registered, changed, sent, tested, sent again. */
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import { answering, Receiver } from "../../../webhooks/receiver.fixture.ts";

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

const PATH = "/api/webhooks";
const asked = (body?: unknown) => ({ token: home.token, ...(body !== undefined && { body }) });
const make = (body: object = {}) => cloud.good("POST", PATH, asked({ url: receiver.url, ...body }));
/** Something that happens: a zone more. */
const happen = (alias: string, environmentId = home.environmentId) =>
  cloud.good("POST", "/api/zones", asked({ environmentId, alias }));

/** What is stored of deliveries, once it is as expected. @param stepMs by which the clock goes on until then */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects by comparing it
async function deliveries(id: string, holds: (items: any[]) => boolean, stepMs = 0): Promise<any[]> {
  for (;;) {
    const { items } = await cloud.good("GET", `${PATH}/${id}/deliveries`, asked());
    if (holds(items)) return items;
    await cloud.clock.advance(stepMs);
  }
}

describe("a webhook", () => {
  it("is made with a secret that is shown this once", async () => {
    const made = await make({ description: "my server" });
    expect(made).toMatchObject({ ecosystemId: home.ecosystemId, url: receiver.url, disabled: false, events: ["*"] });
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret: _, ...shown } = made;
    expect(await cloud.good("GET", `${PATH}/${made.id}`, asked())).toEqual(shown);
    expect((await cloud.good("GET", PATH, asked())).items).toEqual([shown]);
  });

  it("does not return a secret that the caller set", async () => {
    const made = await make({ secret: "of my own" });
    expect(made).not.toHaveProperty("secret");
    const [row] = await cloud.rows((db) => db.selectFrom("webhooks").select("secrets").where("id", "=", made.id));
    expect(row?.secrets).not.toContain("of my own");
  });

  it.each(["PUT", "POST"] as const)("is changed by %s, and answered with no body", async (method) => {
    const { id } = await make();
    const reply = await cloud.call(method, `${PATH}/${id}`, asked({ description: "other", events: ["zone.*"] }));
    expect([reply.status, reply.text]).toEqual([200, ""]);
    expect(await cloud.good("GET", `${PATH}/${id}`, asked())).toMatchObject({
      url: receiver.url,
      description: "other",
      events: ["zone.*"],
    });
  });

  it("takes back what was read", async () => {
    const { id } = await make();
    await happen("hall");
    await receiver.until((received) => received.length === 1);
    await deliveries(id, (items) => items.length === 1);
    const read = await cloud.good("GET", `${PATH}/${id}`, asked());
    expect(read.lastDelivery).toMatchObject({ state: "succeeded", type: "zone.created" });
    expect((await cloud.call("PUT", `${PATH}/${id}`, asked(read))).status).toBe(200);
    const other = await cloud.call("PUT", `${PATH}/${id}`, asked({ ecosystemId: "eco_01h455vb4pex5vsknk084sn02q" }));
    expect(other.body.title).toBe("Body Parameters Invalid");
  });

  it("lists the newest delivery first on request, page by page", async () => {
    const { id } = await make();
    for (const alias of ["hall", "attic", "cellar"]) await happen(alias);
    const sent = await deliveries(id, (items) => items.length === 3);
    const seen: string[] = [];
    for (let next = ""; seen.length < 3; ) {
      const at = `${PATH}/${id}/deliveries?order=newest&pageSize=1${next}`;
      const { items, continuationToken } = await cloud.good("GET", at, asked());
      seen.push(...items.map((item: { id: string }) => item.id));
      if (!continuationToken) break;
      next = `&continuationToken=${encodeURIComponent(continuationToken)}`;
    }
    expect(seen).toEqual(sent.map((item) => item.id).toReversed());
  });

  it("is gone when it is deleted, and answered with no body", async () => {
    const { id } = await make();
    const reply = await cloud.call("DELETE", `${PATH}/${id}`, asked());
    expect([reply.status, reply.text]).toEqual([200, ""]);
    expect((await cloud.call("GET", `${PATH}/${id}`, asked())).body.title).toBe("Webhook Not Found");
    expect(await cloud.rows((db) => db.selectFrom("webhooks").select("id").where("id", "=", id))).toEqual([]);
  });

  it("goes with its environment", async () => {
    const env = await cloud.good("POST", "/api/environments", asked({}));
    const { id } = await make({ environmentId: env.id });
    await cloud.good("DELETE", `/api/environments/${env.id}`, asked());
    expect((await cloud.call("GET", `${PATH}/${id}`, asked())).body.title).toBe("Webhook Not Found");
    expect((await cloud.good("GET", PATH, asked())).items).toEqual([]);
  });

  it("is refused by name", async () => {
    const titles = async (bodies: readonly object[], method: "POST" | "PUT" = "POST", path = PATH) =>
      Promise.all(bodies.map(async (body) => (await cloud.call(method, path, asked(body))).body.title));
    const url = receiver.url;
    expect(new Set(await titles([{}, { url: null }, { url: "" }]))).toEqual(new Set(["Webhook Callback Missing"]));
    const bad = [
      5,
      "nonsense",
      "ftp://x.example/",
      "http://10.0.0.1/",
      "https://user:pw@x.example/",
      "https://x.example/#a",
    ];
    expect(new Set(await titles(bad.map((each) => ({ url: each }))))).toEqual(new Set(["Webhook Callback Invalid"]));
    const events = [["zone"], ["zone.*", "zone.made"], [], "zone.*", [5], ["*.created"]];
    expect(new Set(await titles(events.map((each) => ({ url, events: each }))))).toEqual(
      new Set(["Webhook Events Invalid"]),
    );
    const secrets = ["", "whsec_", "whsec_?", "x".repeat(513), 5];
    expect(new Set(await titles(secrets.map((secret) => ({ url, secret }))))).toEqual(
      new Set(["Body Parameters Invalid"]),
    );
    const { id } = await make();
    expect(await titles([{ url: null }, { url: "" }, { url: "x" }, { secret: null }], "PUT", `${PATH}/${id}`)).toEqual([
      "Webhook Callback Missing",
      "Webhook Callback Missing",
      "Webhook Callback Invalid",
      "Body Parameters Invalid",
    ]);
  });
});

describe("an event", () => {
  it("is sent as it happened, signed as Standard Webhooks has it", async () => {
    const { secret, id } = await make({ events: ["zone.*"] });
    const zone = await happen("hall");
    await receiver.until((received) => received.length === 1);
    const [got] = receiver.received;
    expect(got?.event).toMatchObject({
      type: "zone.created",
      ecosystemId: home.ecosystemId,
      environmentId: home.environmentId,
      data: { id: zone.id, alias: "hall" },
    });
    expect(got?.headers).toMatchObject({ "webhook-id": got?.event.id, "content-type": "application/json" });
    // The verifier asks the machine for the time.
    vi.useFakeTimers({ toFake: ["Date"], now: cloud.clock.now() });
    try {
      expect(new Verifier(secret).verify(got?.body ?? "", { ...got?.headers })).toEqual(got?.event);
    } finally {
      vi.useRealTimers();
    }
    const [delivery] = await deliveries(id, (items) => items.length === 1);
    expect(delivery).toMatchObject({ state: "succeeded", attempt: 1, responseStatus: 204, eventId: got?.id });
    const { request, response } = await cloud.good("GET", `${PATH}/${id}/deliveries/${delivery.id}`, asked());
    expect(request.body).toBe(got?.body);
    expect(request.headers).not.toHaveProperty("webhook-signature");
    expect(response.headers).toHaveProperty("date");
  });

  it("of another environment, or of a type that is not wanted, is not sent", async () => {
    const other = await cloud.good("POST", "/api/environments", asked({}));
    await make({ environmentId: home.environmentId, events: ["zone.created"] });
    await happen("elsewhere", other.id);
    const { id } = await happen("hall");
    await cloud.good("PUT", `/api/zones/${id}`, asked({ alias: "hallway" }));
    await happen("kitchen");
    await receiver.until((received) => received.length === 2);
    expect(receiver.received.map(({ event }) => event.data.alias)).toEqual(["hall", "kitchen"]);
  });

  it("is tried again by the schedule until it succeeds", async () => {
    receiver.answer(answering(500, {}, "not today"));
    const { id } = await make();
    await happen("hall");
    const [failed] = await deliveries(id, (items) => items.length === 1);
    expect(failed).toMatchObject({ state: "pending", attempt: 1, responseStatus: 500 });
    receiver.answer(answering(200));
    const [succeeded] = await deliveries(id, ([item]) => item.state === "succeeded", 1_000);
    expect(succeeded).toMatchObject({ attempt: 2, responseStatus: 200, eventId: failed.eventId });
    expect(new Set(receiver.received.map((each) => each.id)).size).toBe(1);
    const details = await cloud.good("GET", `${PATH}/${id}/deliveries/${failed.id}`, asked());
    // The clock goes on while the receiver answers the second time, in real time.
    const durationMs = expect.any(Number);
    expect(details.attempts).toEqual([
      {
        ...{ number: 1, attemptedAt: failed.createdAt, durationMs: 0, responseStatus: 500 },
        ...{ error: "non-2xx response", responseStart: "not today" },
      },
      { number: 2, attemptedAt: expect.any(String), durationMs, responseStatus: 200, responseStart: "" },
    ]);
    expect(details.attempts[1].attemptedAt > failed.createdAt).toBe(true);
  });

  it("is not sent while the webhook is disabled, nor afterwards, unless it is asked for", async () => {
    const { id } = await make({ disabled: true, events: ["zone.*"] });
    await happen("hall");
    await cloud.good("PUT", `${PATH}/${id}`, asked({ disabled: false }));
    await happen("kitchen");
    await receiver.until((received) => received.length === 1);
    expect(receiver.received[0]?.event.data.alias).toBe("kitchen");
    const { count } = await cloud.good("POST", `${PATH}/${id}/replay`, asked({ since: "2025-01-01 00:00:00Z" }));
    expect(count).toBe(2);
    await receiver.until((received) => received.length === 3);
    expect(
      receiver.received
        .slice(1)
        .map(({ event }) => event.data.alias)
        .sort(),
    ).toEqual(["hall", "kitchen"]);
  });

  it("is sent again under its own ID on request", async () => {
    const { id } = await make();
    await happen("hall");
    const [first] = await deliveries(id, (items) => items.length === 1);
    const reply = await cloud.call("POST", `${PATH}/${id}/deliveries/${first.id}/redeliver`, asked());
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({ eventId: first.eventId, state: "pending", attempt: 0 });
    await receiver.until((received) => received.length === 2);
    expect(new Set(receiver.received.map((each) => each.body)).size).toBe(1);
  });

  it("that the receiver answers with 410 disables the webhook, and its owner is notified", async () => {
    receiver.answer(answering(500));
    const { id } = await make({ events: ["zone.*"] });
    await happen("cellar");
    await deliveries(id, ([item]) => item?.state === "pending");
    receiver.answer(answering(410));
    await using watcher = await Receiver.start();
    await make({ url: watcher.url, events: ["webhook.*"] });
    await happen("hall");
    await watcher.until((received) => received.length === 1);
    expect(watcher.received[0]?.event).toMatchObject({ type: "webhook.disabled", data: { id, disabled: true } });
    expect(await cloud.good("GET", `${PATH}/${id}`, asked())).toMatchObject({ disabled: true });
    // Pending retries are dropped.
    expect((await deliveries(id, () => true)).map(({ state }) => state)).toEqual(["failed", "failed"]);
    const { items } = await cloud.good("GET", "/api/audit", asked());
    expect(items.at(-1)).toMatchObject({ action: "webhook.disabled", objectId: id, actor: { type: "service" } });
  });
});

describe("a test", () => {
  it("is sent regardless of the webhook's types, to it alone, and once", async () => {
    receiver.answer(answering(500));
    const { id } = await make({ events: ["device.*"], disabled: true });
    await using other = await Receiver.start();
    await make({ url: other.url });
    const reply = await cloud.call("POST", `${PATH}/${id}/test`, asked());
    expect([reply.status, reply.headers.location]).toEqual([202, `${PATH}/${id}/deliveries/${reply.body.id}`]);
    const [delivery] = await deliveries(id, ([item]) => item.state === "failed");
    expect(delivery).toMatchObject({ id: reply.body.id, type: "webhook.test", attempt: 1, responseStatus: 500 });
    await happen("hall");
    await other.until((received) => received.length === 1);
    expect(other.received[0]?.event.type).toBe("zone.created");
    const [row] = await cloud.rows((db) => db.selectFrom("events").selectAll().where("id", "=", reply.body.eventId));
    expect(receiver.received[0]?.event).toMatchObject({ id: row?.id, sequence: row?.sequence, data: { id } });
  });

  it("with a type sends an example of it, signed as usual and marked as a test, and the log marks it as a test", async () => {
    const { id } = await make({ events: ["zone.*"], environmentId: undefined });
    const reply = await cloud.call("POST", `${PATH}/${id}/test`, { ...asked(), body: { type: "device.online" } });
    expect([reply.status, reply.body.type]).toEqual([202, "webhook.test"]);
    await deliveries(id, ([item]) => item.state === "succeeded");
    const [received] = receiver.received;
    expect(received?.event).toMatchObject({ id: reply.body.eventId, type: "device.online", test: true });
    expect(received?.event.data).toMatchObject({ connection: { state: "online" } });
    const logged = await cloud.rows((db) => db.selectFrom("events").selectAll().where("id", "=", reply.body.eventId));
    expect(logged).toMatchObject([{ type: "webhook.test" }]);
  });

  it.each(["device.*", "lamp.on", "", 7])("of %j there is no example, and nothing is sent", async (type) => {
    const { id } = await make({});
    const reply = await cloud.call("POST", `${PATH}/${id}/test`, { ...asked(), body: { type } });
    expect([reply.status, reply.body.title]).toEqual([400, "Body Parameters Invalid"]);
    expect((await cloud.good("GET", `${PATH}/${id}/deliveries`, asked())).items).toEqual([]);
  });
});
