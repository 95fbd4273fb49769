/** Who reads `/metrics` beside the API, and how often it is made. */
import { hostname } from "node:os";
import { Secret } from "@porchlight/shared/settings";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestCloud } from "../app.fixture.ts";

const TOKEN = "a token of the operator's";
let cloud: TestCloud;
let closed: TestCloud;
beforeAll(async () => {
  cloud = await TestCloud.start({ metricsToken: new Secret(TOKEN), trustedProxy: ["127.0.0.1"] });
  closed = await TestCloud.start();
});
afterAll(async () => {
  await cloud[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
});

const read = (of: TestCloud, remoteAddress: string, headers: Record<string, string> = {}) =>
  of.app.fastify.inject({ url: "/metrics", remoteAddress, headers });

describe("/metrics", () => {
  it.each(["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"])(
    "is there for this machine, at %s",
    async (address) => {
      const { statusCode, payload, headers } = await read(closed, address);
      expect([statusCode, headers["x-content-type-options"]]).toEqual([200, "nosniff"]);
      expect(payload).toContain("porchlight_tunnels 0");
    },
  );

  it.each([
    ["another machine", "203.0.113.9", {}],
    ["a proxy of this machine, for another", "127.0.0.1", { "x-forwarded-for": "203.0.113.9" }],
    ["a proxy of this machine, for one that says to be it", "127.0.0.1", { "x-forwarded-for": "127.0.0.1" }],
    ["a proxy that gets two origins", "127.0.0.1", { "x-forwarded-for": "203.0.113.9", forwarded: "for=127.0.0.1" }],
    ["a proxy that gets nonsense", "127.0.0.1", { "x-forwarded-for": "nonsense" }],
    ["a proxy that says so elsewhere", "127.0.0.1", { via: "1.1 proxy" }],
    ["a web page whose name leads to this machine", "127.0.0.1", { host: "rebound.example:8080" }],
  ])("is not there for %s", async (_name, address, headers) => {
    for (const each of [closed, cloud]) {
      const { statusCode, payload } = await read(each, address, headers);
      expect([statusCode, JSON.parse(payload).title]).toEqual([404, "Endpoint Not Found"]);
    }
  });

  it.each(["localhost:8080", "127.0.0.1", "[::1]:8080", hostname()])(
    "is there for this machine, asked for as %s",
    async (host) => {
      expect((await read(closed, "127.0.0.1", { host })).statusCode).toBe(200);
    },
  );

  it("is there from anywhere with the operator's token, where there is one", async () => {
    const from = (of: TestCloud, authorization: string) => read(of, "203.0.113.9", { authorization });
    expect((await from(cloud, `Bearer ${TOKEN}`)).statusCode).toBe(200);
    for (const wrong of ["Bearer", "", `Bearer ${TOKEN}x`, TOKEN.slice(1)])
      expect((await from(cloud, wrong)).statusCode).toBe(404);
    expect((await from(closed, `Bearer ${TOKEN}`)).statusCode).toBe(404);
    expect((await from(closed, "")).statusCode).toBe(404);
  });

  it("is made at most once a second, however often it is read", async () => {
    const before = (await read(cloud, "::1")).payload;
    await cloud.call("GET", "/api/nothing");
    expect((await read(cloud, "::1")).payload).toBe(before);
    await cloud.clock.advance(1_000);
    expect((await read(cloud, "::1")).payload).not.toBe(before);
  });
});
