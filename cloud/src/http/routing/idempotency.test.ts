import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../app.fixture.ts";

let cloud: TestCloud;
let home: Home;
let token: string;
beforeAll(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
  token = home.token;
});
afterAll(() => cloud[Symbol.asyncDispose]());

const post = (url: string, body: unknown, key: string, headers: Record<string, string> = {}, by = token) =>
  cloud.call("POST", url, { token: by, body, headers: { "idempotency-key": key, ...headers } });
const environments = async () => (await cloud.good("GET", "/api/environments", { token })).items.length;

describe("a repeat with the same key", () => {
  it("gets the first answer, word for word, and does nothing", async () => {
    const before = await environments();
    const first = await post("/api/environments", { meta: { a: 1 } }, "first");
    const again = await post("/api/environments", { meta: { a: 1 } }, "first");
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect([first.headers["idempotent-replayed"], again.headers["idempotent-replayed"]]).toEqual([undefined, "true"]);
    for (const header of ["location", "etag", "content-type"])
      expect(again.headers[header]).toBe(first.headers[header]);
    expect(again.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
    expect(await environments()).toBe(before + 1);
  });

  it("is recognised with the body's keys in another order, another spelling of the path and another log-in", async () => {
    const { email, password } = home;
    const login = await cloud.good("POST", "/api/accounts/login", { body: { email, password } });
    const first = await post("/api/users", { key: "order", meta: { a: 1, b: [1, 2] } }, "order");
    const again = await post(
      "/v0/api/users/",
      '{"meta":{"b":[1,2.0],"a":1e0},"key":"order"}',
      "order",
      {},
      login.token,
    );
    expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([201, first.text, "true"]);
  });

  it("gets a secret again that is shown once, and that lies sealed in the store", async () => {
    const path = `/api/users/${home.userId}/tokens`;
    const first = await post(path, {}, "secret");
    expect((await post(path, {}, "secret")).body.token).toBe(first.body.token);
    expect((await cloud.good("GET", path, { token })).items).toHaveLength(1);
    const rows = await cloud.rows((db) => db.selectFrom("idempotency_keys").selectAll());
    expect(rows.length).toBeGreaterThan(0);
    for (const text of [first.body.token, "secret", "owner-1", home.userId])
      expect(JSON.stringify(rows.map(({ owner: _, ...row }) => row))).not.toContain(text);
  });

  it("gets a refusal by the route's own rules again, although it would be none by now", async () => {
    const body = { environmentId: home.environmentId, alias: "taken" };
    const { id } = await cloud.good("POST", "/api/clients", { token, body });
    const first = await post("/api/clients", body, "refused");
    expect([first.status, first.body.title]).toEqual([400, "Alias Exists"]);
    await cloud.good("DELETE", `/api/clients/${id}`, { token });
    const again = await post("/api/clients", body, "refused");
    expect([again.status, again.text, again.headers["content-type"]]).toEqual([
      400,
      first.text,
      first.headers["content-type"],
    ]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
  });

  it("is carried out when the first was refused because of who asked", async () => {
    const user = await cloud.good("POST", "/api/users", { token, body: { key: "guest" } });
    const guest = await cloud.userToken(home, user.id);
    const body = { environmentId: home.environmentId };
    expect((await post("/api/clients", body, "later", {}, guest)).body.title).toBe("Access Denied");
    await cloud.good("POST", `/api/users/${user.id}/access`, { token, body });
    expect((await post("/api/clients", body, "later", {}, guest)).status).toBe(201);
  });

  it("is another request for another principal, path, or day", async () => {
    const server = await cloud.serverToken(home);
    const first = await post("/api/users", { key: "one" }, "scope");
    expect((await post("/api/servers", {}, "scope")).status).toBe(201);
    expect((await post("/api/users", { key: "two" }, "scope", {}, server)).status).toBe(201);
    cloud.clock.jumpWall(24 * 3_600_000 - 1);
    expect((await post("/api/users", { key: "one" }, "scope")).text).toBe(first.text);
    cloud.clock.jumpWall(1);
    expect((await post("/api/users", { key: "one" }, "scope")).body.title).toBe("User Key Exists");
  });

  it("after a day finds nothing of the first left in the store", async () => {
    await post("/api/users", { key: "swept" }, "swept");
    cloud.clock.jumpWall(24 * 3_600_000);
    const left = () => cloud.rows((db) => db.selectFrom("idempotency_keys").selectAll());
    while ((await left()).length > 0) await cloud.clock.advance(30_000);
  });
});

describe("a large answer that shows a resource", () => {
  const meta = { text: "x".repeat(60_000) };
  const bytesKept = async () => {
    const keys = await cloud.rows((db) => db.selectFrom("idempotency_keys").select("answer"));
    const steps = await cloud.rows((db) => db.selectFrom("idempotency_steps").select("value"));
    return [...keys.map(({ answer }) => answer ?? ""), ...steps.map(({ value }) => value)].join("").length;
  };

  it("is not kept: a repeat shows the resource, and an unchanged one word for word", async () => {
    const kept = await bytesKept();
    const body = { environmentId: home.environmentId, meta };
    const first = await post("/api/clients", body, "large");
    expect((await bytesKept()) - kept).toBeLessThan(1_000);
    const again = await post("/api/clients", body, "large", { "if-none-match": String(first.headers.etag) });
    expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([201, first.text, "true"]);
    for (const header of ["location", "etag", "content-type"])
      expect(again.headers[header]).toBe(first.headers[header]);
  });

  it("has the resource's present version in a repeat after a change, and after its deletion the first one without what was large", async () => {
    const first = await post("/api/users", { key: "changes", meta }, "changed");
    const path = String(first.headers.location);
    await cloud.good("PUT", path, { token, body: { meta: { now: "small" } } });
    const present = await cloud.call("GET", path, { token });
    const changed = await post("/api/users", { key: "changes", meta }, "changed");
    expect([changed.status, changed.text, changed.headers.etag]).toEqual([201, present.text, present.headers.etag]);
    expect(changed.headers.location).toBe(path);
    await cloud.good("DELETE", path, { token });
    const gone = await post("/api/users", { key: "changes", meta }, "changed");
    expect([gone.status, gone.headers["idempotent-replayed"], gone.headers.location]).toEqual([201, "true", path]);
    expect(gone.body).toEqual({ ...first.body, meta: {} });
  });

  it("is kept whole when it has a secret, which no other route shows", async () => {
    const url = `https://example.com/${"x".repeat(2_000)}`;
    const body = { url, description: "d".repeat(200), events: Array.from({ length: 100 }, () => "webhook.disabled") };
    const first = await post("/api/webhooks", body, "large-secret");
    const again = await post("/api/webhooks", body, "large-secret");
    expect([first.status, again.text, again.headers["idempotent-replayed"]]).toEqual([201, first.text, "true"]);
    expect(again.body.secret).toBeDefined();
  });
});

describe("a key", () => {
  it("that came with another body is refused", async () => {
    await post("/api/users", { key: "a" }, "reused");
    const reply = await post("/api/users", { key: "b" }, "reused");
    expect([reply.status, reply.body.title]).toEqual([422, "Idempotency Key Reused"]);
  });

  it("is 1 to 255 printable characters, once", async () => {
    for (const key of ["", "x".repeat(256), "caf\u00e9", "tab\there"])
      expect([key, (await post("/api/users", { key: "k" }, key)).body.title]).toEqual([key, "Idempotency Key Invalid"]);
    const longest = "x y~".padEnd(255, "!");
    expect((await post("/api/users", { key: "longest" }, longest)).status).toBe(201);
  });

  it("is looked at after the body and before what the body names", async () => {
    expect((await post("/api/clients", { alias: ";" }, "")).body.title).toBe("Environment Missing");
    expect((await post("/api/clients", { environmentId: "nonsense" }, "")).body.title).toBe("Idempotency Key Invalid");
  });

  it("means nothing on a route that may be repeated anyway", async () => {
    const path = `/api/environments/${home.environmentId}`;
    const put = (alias: string) =>
      cloud.call("PUT", path, { token, body: { alias }, headers: { "idempotency-key": "put" } });
    expect([(await put("one")).status, (await put("two")).status]).toEqual([200, 200]);
  });

  it("of which many come at once has one effect: the others get its answer, or are asked to wait", async () => {
    const before = await environments();
    const replies = await Promise.all(Array.from({ length: 50 }, () => post("/api/environments", {}, "storm")));
    const made = replies.filter(({ status }) => status === 201);
    const waiting = replies.filter(({ status }) => status !== 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const reply of waiting)
      expect([reply.body.title, reply.headers["retry-after"]]).toEqual(["Idempotency Key In Use", "1"]);
    expect(waiting.length).toBeGreaterThan(0);
    expect(await environments()).toBe(before + 1);
    expect((await post("/api/environments", {}, "storm")).text).toBe(made[0]?.text);
  });
});
