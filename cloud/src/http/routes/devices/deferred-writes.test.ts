/** Writes whose callers do not wait, as they ask and are answered (A4.4). */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";

let cloud: TestCloud;
let home: Home;
let lamp: string;
beforeEach(async () => {
  cloud = await TestCloud.start({ maxQueuedCommandsPerClient: 2 });
  home = await cloud.home();
  const body = { environmentId: home.environmentId, services: [{ service: "LightColor" }] };
  lamp = (await cloud.good("POST", "/api/devices", { token: home.token, body })).id;
});
afterEach(() => cloud[Symbol.asyncDispose]());

/** The lamp hangs on a hub, which is away. */
async function behindHub(): Promise<string> {
  const body = { environmentId: home.environmentId };
  const { id } = await cloud.good("POST", "/api/clients", { token: home.token, body });
  await cloud.change((db) =>
    db
      .updateTable("devices")
      .set({ client_id: id, type: "physical", edge_id: "00-00-00-00-00-01" })
      .where("id", "=", lamp),
  );
  return id;
}

const put = (body: object, prefer: string | undefined, headers: Record<string, string> = {}) =>
  cloud.call("PUT", `/api/devices/${lamp}/services/LightColor.hue`, {
    token: home.token,
    body,
    headers: { ...(prefer && { prefer }), ...headers },
  });

async function completed() {
  const rows = await cloud.rows((db) => db.selectFrom("events").select("data").where("type", "=", "command.completed"));
  return rows.map(({ data }) => JSON.parse(data));
}

test("a caller that would not wait gets 202 with the command, and its location", async () => {
  await behindHub();
  const { status, headers, body } = await put({ value: 120 }, "respond-async");
  expect(status).toBe(202);
  expect(body).toEqual({
    id: headers["x-command-id"],
    deviceId: lamp,
    service: "LightColor",
    index: "0",
    property: "hue",
    value: 120,
    state: "queued",
    createdAt: "2026-01-01 00:00:00Z",
    expiresAt: "2026-01-01 00:01:00Z",
  });
  expect(headers).toMatchObject({ location: `/api/commands/${body.id}`, "preference-applied": "respond-async" });
  expect(await cloud.good("GET", headers.location ?? "", { token: home.token })).toEqual(body);
  expect((await cloud.call("GET", headers.location ?? "", { token: await cloud.userToken(home) })).status).toBe(200);
});

test("a command counts as long as is asked, and then it has expired, with an event", async () => {
  await behindHub();
  const { body } = await put({ value: 120, ttlSeconds: 300 }, "respond-async");
  expect(body.expiresAt).toBe("2026-01-01 00:05:00Z");
  await cloud.clock.advance(300_000);
  await expect.poll(completed).toEqual([
    {
      ...body,
      state: "expired",
      outcome: "not_sent",
      tokenId: expect.stringMatching(/^tok_/),
      completedAt: body.expiresAt,
      error: expect.objectContaining({ name: "Hub Offline" }),
    },
  ]);
  expect(await cloud.good("GET", `/api/commands/${body.id}`, { token: home.token })).toMatchObject({
    state: "expired",
  });
});

test("what is stored is done, of a virtual device: 202 all the same, or 200 for who waits", async () => {
  const given = await put({ value: 120 }, "respond-async");
  expect(given).toMatchObject({ status: 202, body: { state: "confirmed", outcome: "confirmed" } });
  expect(await completed()).toEqual([{ ...given.body, tokenId: expect.stringMatching(/^tok_/) }]);
  const waited = await put({ value: 130 }, "respond-async, wait=5");
  expect(waited).toMatchObject({
    status: 200,
    body: { value: 130 },
    headers: { "preference-applied": "respond-async, wait=5" },
  });
});

test.each([0, 86_401, 1.5, "60", null])("ttlSeconds of %j is refused", async (ttlSeconds) => {
  const { status, body } = await put({ value: 1, ttlSeconds }, "respond-async");
  expect([status, body.title, body.errors[0].pointer]).toEqual([400, "Body Parameters Invalid", "/ttlSeconds"]);
});

test("ttlSeconds means nothing to a caller that waits, and is refused", async () => {
  const { status, body } = await put({ value: 1, ttlSeconds: 60 }, "wait=5");
  expect([status, body.title]).toEqual([400, "Body Parameters Invalid"]);
});

test("what is wrong is refused at once, and nothing is stored", async () => {
  await behindHub();
  expect(await put({ value: 361 }, "respond-async")).toMatchObject({
    status: 400,
    body: { title: "Property Value Invalid" },
    headers: { "x-command-id": expect.stringMatching(/^cmd_/) },
  });
  expect(await cloud.rows((db) => db.selectFrom("commands").selectAll())).toEqual([]);
});

test("so many commands wait for one hub, and no more", async () => {
  await behindHub();
  for (const value of [1, 2]) expect((await put({ value }, "respond-async")).status).toBe(202);
  const third = await put({ value: 3 }, "respond-async");
  expect(third).toMatchObject({ status: 403, body: { title: "Quota Exceeded" } });
  const { items } = await cloud.good("GET", "/api/quotas", { token: home.token });
  expect(items).toContainEqual({ name: "queuedCommandsPerClient", used: 2, limit: 2 });
});

test("a repeat under one idempotency key gives no second command", async () => {
  await behindHub();
  const key = { "idempotency-key": "once" };
  const first = await put({ value: 1 }, "respond-async", key);
  const again = await put({ value: 1 }, "respond-async", key);
  expect(again).toMatchObject({ status: 202, body: first.body, headers: { "idempotent-replayed": "true" } });
  expect(await cloud.rows((db) => db.selectFrom("commands").selectAll())).toHaveLength(1);
});

test("commands wait in the order in which they were given, also to processes that were started in the same moment", async () => {
  await behindHub();
  const given: string[] = [];
  for (let value = 1; value <= 8; value++) {
    await cloud.app[Symbol.asyncDispose]();
    cloud = await cloud.restart({ maxQueuedCommandsPerClient: 100 });
    given.push((await put({ value }, "respond-async")).body.id);
  }
  expect(given.toSorted()).toEqual(given);
});
