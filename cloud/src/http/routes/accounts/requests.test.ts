/** The request log, quotas and metrics as a user of the API and an operator see them. */
import { formatTime } from "@porchlight/shared/api";
import { settle } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";

let cloud: TestCloud;
let home: Home;
let token: string;
async function begin(settings: Parameters<typeof TestCloud.start>[0] = {}): Promise<void> {
  cloud = await TestCloud.start(settings);
  home = await cloud.home();
  token = home.token;
}
beforeEach(() => begin());
afterEach(() => cloud[Symbol.asyncDispose]());

const title = async (url: string) => (await cloud.call("GET", url, { token })).body.title;
type Entry = {
  id: string;
  path: string;
  status: number;
  problem?: string;
  problemBody?: Record<string, unknown>;
  commandId?: string;
  tokenId: string;
};
/** Until so many have been stored. */
async function logged(query = "", least = 1): Promise<Entry[]> {
  await cloud.clock.advance(10_000);
  for (let turn = 0; turn < 5_000; turn++) {
    const { items } = await cloud.good("GET", `/api/requests${query}`, { token });
    if (items.length >= least) return items;
    await settle(1);
  }
  throw new Error("nothing was logged");
}

describe("the request log", () => {
  it("has the request, its answer and its token, without the query", async () => {
    await cloud.call("GET", "/v0/api/devices?pageSize=1", { token, headers: { "x-request-id": "mine-1" } });
    await cloud.call("GET", "/api/devices/dev_x", { token });
    const items = await logged("", 2);
    expect(items[0]).toMatchObject({ id: "mine-1", method: "GET", route: "/api/devices", path: "/v0/api/devices" });
    expect(items[0]).toMatchObject({ status: 200, at: expect.stringMatching(/Z$/), durationMs: expect.any(Number) });
    expect(items[1]).toMatchObject({ route: "/api/devices/:id", status: 400, problem: "Device Invalid" });
    expect(JSON.stringify(items)).not.toMatch(/pageSize|plt_/);
  });

  it("has of an open portal what it was refused and what it changed, and not what it reads", async () => {
    const body = { email: home.email, password: home.password, session: true };
    const host = { host: "127.0.0.1:8080" };
    const login = await cloud.call("POST", "/api/accounts/login", { body, headers: host });
    const cookie = login.cookies[0]?.split(";")[0] ?? "";
    const headers = { ...host, cookie, "sec-fetch-site": "same-origin" };
    const portal = (await cloud.call("POST", "/api/session/token", { headers })).body.token;
    await cloud.good("GET", "/api/devices", { token: portal });
    await cloud.good("PUT", `/api/environments/${home.environmentId}`, { token: portal, body: { alias: "home" } });
    await cloud.call("GET", "/api/devices/dev_x", { token: portal });
    await cloud.good("GET", "/api/zones", { token });
    const items = await logged("", 3);
    expect(items.map(({ path, status }) => [path, status])).toEqual([
      [`/api/environments/${home.environmentId}`, 200],
      ["/api/devices/dev_x", 400],
      ["/api/zones", 200],
    ]);
  });

  it("can be asked by status, token and ecosystem", async () => {
    const server = await cloud.serverToken(home);
    await cloud.call("GET", "/api/devices", { token: server });
    await cloud.call("GET", "/api/devices/dev_x", { token: server });
    const failed = await logged("?status=400");
    expect(failed.map(({ status }) => status)).toEqual([400]);
    const byToken = await logged(`?tokenId=${failed[0]?.tokenId}`, 2);
    expect(byToken.map(({ status }) => status)).toEqual([200, 400]);
    expect((await logged(`?ecosystemId=${home.ecosystemId}`)).length).toBeGreaterThan(2);
    expect(await title("/api/requests?status=ok")).toBe("Query Parameter Invalid");
    expect(await title("/api/requests?tokenId=x")).toBe("Token Invalid");
    expect(await title("/api/requests?ecosystemId=x")).toBe("Ecosystem Invalid");
  });

  it("can be asked by class of status, method, path and time", async () => {
    const earlier = cloud.clock.now();
    await cloud.call("GET", "/api/devices/dev_x", { token });
    await cloud.call("GET", "/v0/api/zones", { token });
    await cloud.clock.advance(60_000);
    await cloud.call("POST", "/api/zones", { token, body: {} });
    await cloud.call("DELETE", "/api/devices/dev_y", { token });
    await logged("?path=dev_y");
    const shown = async (query: string) =>
      (await logged(query)).map(({ method, path }: Entry & { method?: string }) => `${method} ${path}`);
    expect(await shown("?status=4xx&path=devices")).toEqual(["GET /api/devices/dev_x", "DELETE /api/devices/dev_y"]);
    expect(await shown("?path=/api/zones")).toEqual(["GET /v0/api/zones", "POST /api/zones"]);
    expect(await shown("?method=DELETE")).toEqual(["DELETE /api/devices/dev_y"]);
    const time = (ms: number) => encodeURIComponent(formatTime(ms));
    expect(await shown(`?path=/api/zones&until=${time(earlier + 30_000)}`)).toEqual(["GET /v0/api/zones"]);
    expect(await shown(`?path=/api/zones&since=${time(earlier + 30_000)}`)).toEqual(["POST /api/zones"]);
    for (const bad of ["status=6xx", "status=4x", "method=put", "path=", "since=now", "until=1"])
      expect(await title(`/api/requests?${bad}`), bad).toBe("Query Parameter Invalid");
  });

  it("has what a failed request was answered with, without secrets, and the command that a request made", async () => {
    const secret = "plt_srv_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZab";
    const refused = await cloud.call("GET", `/api/devices/${secret}`, { token });
    const [entry] = await logged("?status=4xx");
    expect(entry).toMatchObject({ problemBody: { title: refused.body.title, status: 400, instance: entry?.id } });
    expect(JSON.stringify(entry?.problemBody)).not.toContain(secret);
    const { id } = await cloud.good("POST", "/api/devices", {
      token,
      body: { environmentId: home.environmentId, services: [{ service: "Switch", properties: ["on"] }] },
    });
    const written = await cloud.call("PUT", `/api/devices/${id}/services/Switch.on`, { token, body: { value: true } });
    const [put] = await logged("?method=PUT");
    expect(put?.commandId).toBe(written.headers["x-command-id"]);
    expect(put?.commandId).toMatch(/^cmd_/);
    expect(put).not.toHaveProperty("problemBody");
  });

  it("is read from the newest on where that is asked for, page by page, and by the ID of a request", async () => {
    for (const id of ["r-1", "r-2", "r-3"])
      await cloud.call("GET", "/api/devices", { token, headers: { "x-request-id": id } });
    await logged("", 3);
    const from = async (query: string) => cloud.good("GET", `/api/requests?order=newest&pageSize=1${query}`, { token });
    const first = await from("&status=200&requestId=r-2");
    expect(first.items.map(({ id }: Entry) => id)).toEqual(["r-2"]);
    expect(first).not.toHaveProperty("continuationToken");
    // What has been asked since is not stored before the clock goes on.
    const seen: string[] = [];
    for (let next = ""; seen.length < 3; ) {
      const { items, continuationToken } = await from(next);
      seen.push(...items.map(({ id }: Entry) => id));
      next = `&continuationToken=${encodeURIComponent(continuationToken)}`;
      if (!continuationToken) break;
    }
    expect(seen).toEqual(["r-3", "r-2", "r-1"]);
    const other = `/api/requests?pageSize=1&continuationToken=${encodeURIComponent((await from("")).continuationToken)}`;
    expect(await title(other)).toBe("Continuation Token Invalid");
    expect(await title("/api/requests?order=up")).toBe("Query Parameter Invalid");
    expect(await title("/api/requests?requestId=a%20b")).toBe("Query Parameter Invalid");
  });

  it("is read by no other account", async () => {
    await cloud.call("GET", "/api/devices", { token });
    await logged();
    const other = await cloud.home();
    const { items } = await cloud.good("GET", "/api/requests", { token: other.token });
    expect(items.filter((entry: Entry) => entry.path === "/api/devices")).toEqual([]);
  });

  it("keeps what came before an orderly stop", async () => {
    await cloud.call("GET", "/api/devices", { token });
    await cloud.app.drain();
    const rows = await cloud.rows((build) => build.selectFrom("request_log").select("path"));
    expect(rows.map(({ path }) => path)).toContain("/api/devices");
  });
});

describe("the list of tokens", () => {
  it("says when each was last used, and which versions it asked for", async () => {
    const made = await cloud.good("POST", `/api/users/${home.userId}/tokens`, { token });
    const listed = async () => (await cloud.good("GET", `/api/users/${home.userId}/tokens`, { token })).items[0];
    expect(await listed()).not.toHaveProperty("lastUsedAt");
    await cloud.call("GET", "/v0/api/devices", { token: made.token, headers: { "x-api-version": "v0" } });
    await logged(`?tokenId=${made.id}`);
    // The uses of tokens are stored after the requests.
    for (let turn = 0; turn < 5_000 && !("lastUsedAt" in (await listed())); turn++) await settle(1);
    const times = { firstSeenAt: "2026-01-01 00:00:00Z", lastSeenAt: "2026-01-01 00:00:00Z", count: 1 };
    expect(await listed()).toMatchObject({
      lastUsedAt: "2026-01-01 00:00:00Z",
      versions: [
        { via: "header", version: "v0", ...times },
        { via: "path", version: "v0", ...times },
      ],
    });
  });
});

describe("quotas", () => {
  it("tell an account and a server how far they are used", async () => {
    const { items } = await cloud.good("GET", "/api/quotas", { token });
    const used = Object.fromEntries(items.map((item: { name: string; used: number }) => [item.name, item.used]));
    expect(used).toMatchObject({
      ecosystemsPerAccount: 1,
      environmentsPerEcosystem: 1,
      usersPerEcosystem: 1,
      devicesPerEnvironment: 0,
      environmentsPerUser: 1,
      tokensPerSubject: 0,
    });
    const server = await cloud.serverToken(home);
    const ofServer = await cloud.good("GET", "/api/quotas", { token: server });
    expect(ofServer.items.map(({ name }: { name: string }) => name)).not.toContain("ecosystemsPerAccount");
  });

  it("refuse one more, and let it in when another has gone", async () => {
    await cloud[Symbol.asyncDispose]();
    await begin({
      maxEnvironmentsPerEcosystem: 2,
      maxUsersPerEcosystem: 2,
      maxServersPerEcosystem: 1,
      maxClientsPerEnvironment: 1,
      maxTokensPerSubject: 1,
      maxEnvironmentsPerUser: 1,
      maxZonesPerEnvironment: 1,
      maxDevicesPerEnvironment: 1,
      maxEcosystemsPerAccount: 2,
    });
    const { environmentId, ecosystemId, userId } = home;
    const creates: [string, object][] = [
      ["/api/environments", { ecosystemId }],
      ["/api/users", { ecosystemId, key: "a" }],
      ["/api/servers", { ecosystemId }],
      ["/api/clients", { environmentId }],
      ["/api/zones", { environmentId }],
      ["/api/devices", { environmentId, services: [{ service: "Switch" }] }],
      [`/api/users/${userId}/tokens`, {}],
      ["/api/ecosystems", {}],
    ];
    for (const [path, body] of creates) {
      const first = await cloud.call("POST", path, { token, body });
      expect([path, first.status]).toEqual([path, 201]);
      const second = await cloud.call("POST", path, { token, body: { ...body, ...("key" in body && { key: "b" }) } });
      expect([path, second.status, second.body.title]).toEqual([path, 403, "Quota Exceeded"]);
      await cloud.good("DELETE", String(first.headers.location), { token });
      const third = await cloud.call("POST", path, { token, body: { ...body, ...("key" in body && { key: "c" }) } });
      expect([path, third.status]).toEqual([path, 201]);
      await cloud.good("DELETE", String(third.headers.location), { token });
    }
    const environment = await cloud.good("POST", "/api/environments", { token, body: { ecosystemId } });
    const more = { token, body: { environmentId: environment.id } };
    expect((await cloud.call("POST", `/api/users/${userId}/access`, more)).body.title).toBe("Quota Exceeded");
  });
});

describe("/metrics", () => {
  it("counts requests by route and status, hubs and writes, without a token", async () => {
    await cloud.call("GET", "/api/devices", { token });
    const { payload, headers, statusCode } = await cloud.app.fastify.inject("/metrics");
    expect(statusCode).toBe(200);
    expect(headers["content-type"]).toContain("text/plain");
    expect(payload).toContain(
      'porchlight_http_request_duration_seconds_count{method="GET",route="/api/devices",status="200"} 1',
    );
    for (const name of [
      "porchlight_tunnels 0",
      "porchlight_write_groups ",
      "nodejs_eventloop_lag_seconds",
      "process_cpu",
    ])
      expect(payload).toContain(name);
    expect(payload).not.toContain(home.ecosystemId);
  });

  it("is not beside the API when it has a port of its own", async () => {
    await cloud[Symbol.asyncDispose]();
    await begin({ metricsPort: 0 });
    expect((await cloud.app.fastify.inject("/metrics")).statusCode).toBe(404);
  });
});
