/** The specification's 4.3 and 4.4 as they are written there, in plain HTTP; and webhooks through the client, to a real receiver. */
import { Receiver } from "@porchlight/cloud/webhooks/receiver.fixture.ts";
import { verifyWebhook } from "@porchlight/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { ContractCloud, type Owner, STORES } from "./cloud.ts";

const URL_OF_MINE = "https://receiver.example/hook";

describe.each(STORES)("webhooks on %s", (store) => {
  let cloud: ContractCloud;
  let owner: Owner;
  let accountToken: string;
  beforeAll(async () => {
    cloud = await ContractCloud.start(store);
    owner = await cloud.owner();
    const { email, password } = owner;
    accountToken = (await send("POST", "/api/accounts/login", { email, password }, "")).body.token;
  });
  afterAll(() => cloud[Symbol.asyncDispose]());

  async function send(method: string, path: string, body?: unknown, token = owner.serverToken) {
    const response = await cloud.fetch(cloud.url + path, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: a test states what it expects of an answer by comparing it
    return { status: response.status, text, body: (text ? JSON.parse(text) : {}) as any };
  }
  const make = async () => (await owner.asServer.webhooks.create({ url: URL_OF_MINE, disabled: true })).id;

  it.each(
    ["POST", "PUT"].flatMap((method) =>
      ["/api/webhooks/ID", "/v0/api/webhooks/ID", "/v0/api/webhooks/ID/"].map((path) => [method, path] as const),
    ),
  )("4.3 %s %s updates one, and answers 200 with no body", async (method, path) => {
    const id = await make();
    const change = { url: `${URL_OF_MINE}/2`, secret: "a secret token", description: "mine", disabled: true };
    for (const token of [owner.serverToken, accountToken]) {
      const { status, text } = await send(method, path.replace("ID", id), change, token);
      expect([status, text]).toEqual([200, ""]);
    }
    expect(await owner.asAccount.webhooks.get(id)).toMatchObject({
      url: change.url,
      description: "mine",
      disabled: true,
    });
    // All of it is optional.
    expect((await send(method, path.replace("ID", id), {})).status).toBe(200);
  });

  it("4.3 and 4.4 have the errors of their tables", async () => {
    const [id, gone] = [await make(), await make()];
    await owner.asServer.webhooks.delete(gone);
    const title = async (method: string, path: string, body?: unknown, token?: string) => {
      const { status, body: problem } = await send(method, `/api/webhooks/${path}`, body, token);
      return `${status} ${problem.title}`;
    };
    for (const method of ["POST", "PUT", "DELETE"]) {
      const body = method === "DELETE" ? undefined : {};
      expect(await title(method, `${id}?a=b`, body)).toBe("400 No Query String Allowed");
      expect(await title(method, "nonsense", body)).toBe("400 Webhook Invalid");
      expect(await title(method, gone, body)).toBe("404 Webhook Not Found");
      expect(await title(method, id, body, owner.userToken)).toBe("403 Token Type Not Allowed");
    }
    for (const method of ["POST", "PUT"]) {
      expect(await title(method, id, { url: "not well formed" })).toBe("400 Webhook Callback Invalid");
      for (const url of [null, ""]) expect(await title(method, id, { url })).toBe("400 Webhook Callback Missing");
    }
  });

  it("4.4 DELETE deletes one, and answers 200 with no body", async () => {
    for (const [path, token] of [
      ["/api/webhooks/ID", owner.serverToken],
      ["/v0/api/webhooks/ID", accountToken],
    ] as const) {
      const id = await make();
      const { status, text } = await send("DELETE", path.replace("ID", id), undefined, token);
      expect([status, text]).toEqual([200, ""]);
      expect((await send("GET", path.replace("ID", id))).status).toBe(404);
    }
  });

  it("are made, tried, looked at and sent again by the client, whose verification takes what comes", async () => {
    await using receiver = await Receiver.start();
    const { webhooks, zones } = owner.asServer;
    const { id, secret = "" } = await webhooks.create({ url: receiver.url, events: ["zone.created"] });
    const test = await webhooks.test(id);
    const zone = await zones.create({ environmentId: owner.environmentId });
    await receiver.until((received) => received.length === 2);
    for (const { headers, body } of receiver.received)
      expect(await verifyWebhook({ headers, body, secret })).toEqual(JSON.parse(body));
    const types = receiver.received.map(({ event }) => event.type).sort();
    expect(types).toEqual(["webhook.test", "zone.created"]);
    const sent = await eventually("both are notified", async () => {
      const all = await webhooks.deliveries(id).all();
      return all.every(({ state }) => state === "succeeded") && all.length === 2 ? all : undefined;
    });
    const [ofZone] = sent.filter((delivery) => delivery.id !== test.id);
    const details = await webhooks.delivery(id, ofZone?.id ?? "");
    expect(JSON.parse(details.request.body)).toMatchObject({ data: { id: zone.id } });
    await webhooks.redeliver(id, details.id);
    expect(await webhooks.replay(id, { since: "2020-01-01 00:00:00Z" })).toBeGreaterThan(0);
    await receiver.until((received) => received.filter(({ id: event }) => event === details.eventId).length === 3);
  });
});
